// npm run test:browser [-- FILE…]: the pages in a real Chromium, which is fetched into a temporary folder.
// AIRANK_SCREENSHOTS names a folder for their pictures.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { fetchBrowser } from './fetch-browser.ts';

/** @returns the exit code */
async function main(files: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-browser-'));
  try {
    await fetchBrowser(folder);
    return await runTests(folder, files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A signal goes to the tests. The browser unpacks itself into the folder for temporary files. */
async function runTests(folder: string, files: readonly string[]): Promise<number> {
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'browser', ...files], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, AIRANK_BROWSER_DIR: folder },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`test:browser: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
