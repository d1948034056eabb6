// A tarball: what must be in it and what must not, and what somebody does with it who has just got it, without network
// and settings.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';
import { installTarball, type PackedFile } from '../support/install-tarball.ts';
import { backupFile, releasedVersions } from '../upgrade/released-versions.ts';

const needed = [
  'dist/src/start.js',
  'dist/THIRD-PARTY-LICENSES.txt',
  'sql/migrations/000001_create_tables.sql',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** Sources, tests, settings with keys. Types and examples are meant for users. */
const unwanted = [/^(src|test|node_modules|jobs)\//, /(^|\/)\.env$/, /^(?!examples\/).*(?<!\.d)\.ts$/];

const mostBytes = 15_000_000;

/** One text each; none: it holds what it should. */
export function packedFaults(files: readonly PackedFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const lacking = needed.filter((path) => !paths.has(path));
  const wrong = files.filter(({ path }) => unwanted.some((pattern) => pattern.test(path)));
  return [
    ...lacking.map((path) => `Expected ${path} in the tarball, got none. Look at "files" in package.json`),
    ...wrong.map(({ path }) => `Expected no ${path} in the tarball. Look at "files" in package.json`),
    ...(bytes > mostBytes
      ? [`Expected a tarball of at most ${mostBytes} bytes unpacked, got ${bytes}. Look at what is in dist`]
      : []),
  ];
}

interface Step {
  readonly args: readonly string[];
  readonly stdout: RegExp;
  /** Below the temporary folder. Default: that of the demo. */
  readonly dataDir?: string;
}

function stepsFor(version: string): Step[] {
  return [
    { args: ['--version'], stdout: new RegExp(`^${version.replaceAll('.', '\\.')}\n$`) },
    { args: ['demo', '--days', '2', '--clients', '1'], stdout: /dashboard\.html/ },
    { args: ['migrate', '--demo'], stdout: /^The warehouse is up to date\./ },
    { args: ['export', 'rank_trend', '--demo'], stdout: /^client_key,.*\n.+\n/ },
    ...releasedVersions().map((released) => ({
      args: ['restore', backupFile(released)],
      stdout: /^Restored [1-9]/,
      dataDir: released,
    })),
  ];
}

/** @param log one line for each thing that worked. @throws Error that names the first that did not */
export async function tryTarball(
  tarball: string,
  version: string,
  log: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-release-'));
  try {
    const options = { linksEmbeddedPostgres: true };
    const { command } = await installTarball(tarball, join(folder, 'project'), options);
    for (const { args, stdout, dataDir = 'demo' } of stepsFor(version)) {
      const name = ['airank', ...args].join(' ').replace(packageRoot(), '.');
      const env = { PATH: process.env['PATH'], HOME: folder, AIRANK_DATA_DIR: join(folder, dataDir) };
      const said = await promisify(execFile)(command, args, { cwd: folder, env }).catch((error: unknown) => {
        throw new Error(`Expected ${name} of the tarball to work, got: ${messageOf(error)}`);
      });
      if (!stdout.test(said.stdout)) {
        throw new Error(
          `Expected ${name} of the tarball to print ${stdout}, got ${JSON.stringify(said.stdout.slice(0, 500))}`,
        );
      }
      log(`✓ ${name}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
