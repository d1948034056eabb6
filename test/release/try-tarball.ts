// Does with a tarball what somebody does who has just got it, without network and settings.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { installTarball } from '../support/install-tarball.ts';
import { backupFile, releasedVersions } from '../upgrade/released-versions.ts';

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
