// Fetches a Chromium, what drives it and what checks accessibility, by npm. They are no dependencies: 90 MB.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../support/run-vitest.ts';

const packages = ['@sparticuz/chromium@153.0.0', 'playwright-core@1.65.1', 'axe-core@4.14.1'];

/** Installs them into the folder. @throws where the package registry cannot be reached */
export async function fetchBrowser(folder: string): Promise<void> {
  await installPackages(folder, packages, '');
  const packed = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  const { default: chromium } = await import(pathToFileURL(packed).href);
  // It unpacks itself here, once: of two test files that do so at once, one starts a program that is still written.
  await chromium.executablePath();
}
