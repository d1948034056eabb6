// The browser part is what the build made, and never one of older sources.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAssets } from '../../src/reporting/dashboard/document/html-document.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airank-assets-'));
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(path: string, text: string, atS: number): Promise<void> {
  const file = join(root, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
  await utimes(file, atS, atS);
}

it('says what to run where there is no build, or an older one', async () => {
  expect(() => readAssets(root)).toThrow('is not built. Run: npm run build');
  await write('dist/dashboard/app.js', 'js', 2_000);
  await write('dist/dashboard/app.css', 'css', 2_000);
  expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
  await write('src/reporting/dashboard/browser/app.ts', '', 1_000);
  // Files that do not run in the browser do not count.
  await write('src/reporting/dashboard/serve/dashboard-server.ts', '', 3_000);
  expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
  await write('src/reporting/dashboard/charts/rank-trend.ts', '', 3_000);
  expect(() => readAssets(root)).toThrow('is older than its sources. Run: npm run build');
});
