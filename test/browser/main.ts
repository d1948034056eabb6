// npm run test:browser [-- FILE…]: the pages in a real Chromium. It, what drives it and what checks accessibility are fetched
// into a temporary folder by npm; they are no dependencies: 90 MB. AIRANK_SCREENSHOTS names a folder for pictures.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../src/core/errors.ts';
import { installPackages, runVitest } from '../support/run-vitest.ts';

const packages = ['@sparticuz/chromium@153.0.0', 'playwright-core@1.65.1', 'axe-core@4.14.1'];

const folder = await mkdtemp(join(tmpdir(), 'airank-browser-'));
try {
  await installPackages(folder, packages, '');
  const packed = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  const { default: chromium } = await import(pathToFileURL(packed).href);
  // It unpacks itself here, once: of two test files that do so at once, one starts a program that is still written.
  await chromium.executablePath();
  process.exitCode = await runVitest('browser', process.argv.slice(2), { AIRANK_BROWSER_DIR: folder });
} catch (error) {
  process.stderr.write(`test:browser: ${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
