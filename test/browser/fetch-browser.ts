// Fetches a Chromium, what drives it and what checks accessibility, by npm. They are no dependencies: 90 MB.
import { installPackages } from '../support/run-vitest.ts';

const packages = ['@sparticuz/chromium@153.0.0', 'playwright-core@1.65.1', 'axe-core@4.14.1'];

/** Installs them into the folder. @throws where the package registry cannot be reached */
export async function fetchBrowser(folder: string): Promise<void> {
  await installPackages(folder, packages, '');
}
