// npm run test:browser [-- FILE…]: the pages in a real Chromium, which is fetched into a temporary folder.
// AIRANK_SCREENSHOTS names a folder for their pictures.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { runVitest } from '../support/run-vitest.ts';
import { fetchBrowser } from './fetch-browser.ts';

/** @returns the exit code */
async function main(files: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-browser-'));
  try {
    await fetchBrowser(folder);
    // The browser unpacks itself into the folder for temporary files.
    return await runVitest('browser', files, { AIRANK_BROWSER_DIR: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`test:browser: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
