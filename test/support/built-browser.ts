// The browser part of the dashboard, built anew where it is older than its sources.
import { join } from 'node:path';
import { packageRoot } from '../../src/core/package-root.ts';
import { readAssets } from '../../src/dashboard/document/assets.ts';

export async function buildBrowserIfOlder(): Promise<void> {
  try {
    readAssets();
  } catch {
    const builder: string = join(packageRoot(), 'src', 'dashboard', 'build-browser.mjs');
    const { buildBrowser } = (await import(builder)) as {
      buildBrowser: (folder: string) => Promise<unknown>;
    };
    await buildBrowser(join(packageRoot(), 'dist', 'dashboard'));
  }
}
