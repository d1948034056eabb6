// The report of a client in a real Chromium: on a phone, on paper's width, in both languages.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { startHostileServer, trap } from './hostile-server.ts';
import { type Browser, browserDir, openBrowser } from './open-browser.ts';
import { faultsOf, looks, picture } from './pages.ts';

describe.skipIf(browserDir === undefined)('a report in a real Chromium', () => {
  let browser: Browser;
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'airank-report-pages-'));
    database = await createSandboxWarehouse({ from: '2026-03-01', days: 8, before: startHostileServer });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
    await database?.drop();
  });

  it.each(looks)('$language, $widthPx px: fits, can be read by all, and runs nothing', async (look) => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select client_id as id from bi.clients where not is_account order by client_id limit 1',
    );
    const args = ['report', rows[0]?.id ?? '', '--period', 'week', '--date', '2026-03-02'];
    const said = await airank([...args, '--language', look.language, '--anyway', '--output', 'report.html'], {
      cwd: folder,
      env: { DATABASE_URL: database.url },
    });
    expect(said, said.stderr).toMatchObject({ exitCode: 0 });
    const page = await browser.newPage({
      viewport: { width: look.widthPx, height: 900 },
      colorScheme: look.colorScheme,
    });
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    await picture(page, `report-${look.language}-${look.widthPx}`);
    expect(await page.evaluate(`window.${trap} === undefined`)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  });
});
