// Fetches a Chromium, what drives it and what checks accessibility, by npm. They are no dependencies: 90 MB.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const packages = ['@sparticuz/chromium@153.0.0', 'playwright-core@1.65.1', 'axe-core@4.14.1'];

/** Installs them into the folder. @throws where the package registry cannot be reached */
export async function fetchBrowser(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  // Its package names newer versions of Node than it needs.
  const quiet = [
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-package-lock',
    '--loglevel=error',
  ];
  const ended = await run('npm', ['install', ...quiet, ...packages], folder);
  if (ended === 0) return;
  throw new Error(
    `Cannot fetch ${packages.join(', ')}: npm install ended with ${ended}. It needs the package registry that npm ci needs.`,
  );
}

function run(command: string, args: readonly string[], cwd: string): Promise<number | string | null> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}
