// The dashboard and the report of a client in a real Chromium: every page, both languages and widths, light and dark.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import { columnOf } from '../../src/reporting/dashboard/charts/columns.ts';
import { formatValue } from '../../src/reporting/dashboard/charts/format.ts';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';
import { shownPages } from '../../src/reporting/dashboard/page/page-state.ts';
import { readChart } from '../../src/reporting/reader/statements.ts';
import { airank } from '../support/fake-terminal.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { type ServedDashboard, serveDashboardHere } from '../support/served-dashboard.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { startHostileServer, trap } from './hostile-server.ts';
import { type Browser, browserDir, openBrowser } from './open-browser.ts';
import { faultsOf, type Look, looks, type Opened, openFile, picture } from './pages.ts';

const from = '2026-03-01';
const to = '2026-03-08';

if (browserDir === undefined) {
  process.stderr.write('No pages are looked at: no browser is here. npm run test:browser fetches one.\n');
}

describe.skipIf(browserDir === undefined)('in a real Chromium (npm run test:browser fetches one)', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'airank-pages-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Writes the dashboard of a warehouse. */
  async function fileOf(database: TestDatabase, name: string): Promise<string> {
    const said = await airank(['dashboard', '--from', from, '--to', to, '--output', name], {
      cwd: folder,
      env: { DATABASE_URL: database.url },
    });
    expect(said, said.stderr).toMatchObject({ exitCode: 0 });
    return join(folder, name);
  }

  async function someClient(database: TestDatabase): Promise<string> {
    const { rows } = await database.pool.query<{ id: string }>(
      'select client_id as id from bi.clients where not is_account order by client_id limit 1',
    );
    return rows[0]?.id ?? '';
  }

  const views = [
    ...shownPages(charts, true).map((page) => ['account', page] as const),
    ...shownPages(charts, false).map((page) => ['client', page] as const),
  ];

  describe('a dashboard of the sandbox', () => {
    let database: TestDatabase;
    let file: string;
    let clientId: string;
    beforeAll(async () => {
      database = await createSandboxWarehouse({ from, days: 8 });
      file = await fileOf(database, 'sandbox.html');
      clientId = await someClient(database);
    });
    afterAll(async () => {
      await database?.drop();
    });

    const keyOf = (of: 'account' | 'client') => `default/${of === 'account' ? '' : clientId}`;

    describe.each(looks)('$language, $widthPx px, $colorScheme', (look) => {
      let opened: Opened;
      beforeAll(async () => {
        opened = await openFile(browser, file, look);
      });
      afterAll(async () => {
        await opened?.page.close();
      });

      it.each(views)('%s, page %s: nothing overflows, is hidden from a reader or fails', async (of, page) => {
        await opened.show({ client: keyOf(of), page, days: 'all' });
        const name = `${of}-${page}-${look.language}-${look.widthPx}-${look.colorScheme}`;
        await picture(opened.page, name);
        expect(await faultsOf(opened.page)).toEqual([]);
        expect(opened.complaints).toEqual([]);
      });
    });

    it('shows in the tables of all charts what the statements read', async () => {
      const opened = await openFile(browser, file, looks[0]);
      const compared: string[] = [];
      for (const [of, page] of views) {
        await opened.show({ client: keyOf(of), page, days: 'all' });
        const shown = await opened.page.evaluate<Record<string, string[][]>>(`
          Object.fromEntries([...document.querySelectorAll('figure[data-state=ready]:has(.figs)')].map((figure) => {
            figure.querySelector('[data-action=table]')?.click();
            const table = figure.querySelector('.figs table') ?? [...figure.querySelectorAll('table')].at(-1);
            return [figure.dataset.chart, [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))];
          }))`);
        for (const [name, rows] of Object.entries(shown)) {
          const chart = charts.find((one) => one.name === name);
          const scope = { account: 'default', clientId: of === 'account' ? '' : clientId, from, to };
          const read = await readChart(database.pool, chart?.statement ?? name, scope);
          const all = fieldsOf(read.columns, read.rows);
          const kept = read.rows.filter((_, place) => {
            const row = all[place];
            return row === undefined || chart?.keep?.(row, all) !== false;
          });
          expect(rows.length, name).toBe(Math.min(kept.length, 200));
          // Which columns a table has is its own choice, and small lines say their ends for readers.
          for (const [place, row] of rows.entries()) {
            const texts = read.columns.map((column, index) =>
              formatValue(kept[place]?.[index] ?? null, columnOf(column).kind, 'en'),
            );
            const isLine = (text: string) => text === '' || / to .* on /.test(text);
            expect(
              row.filter((text) => !texts.includes(text) && !isLine(text)),
              name,
            ).toEqual([]);
          }
          compared.push(name);
        }
      }
      expect(compared.length).toBeGreaterThan(20);
      await opened.page.close();
    });

    it('says in titles and tiles what bi says', async () => {
      const opened = await openFile(browser, file, looks[0]);
      const { text } = opened;
      const { rows } = await database.pool.query<{ id: string; score: string }>(
        `select client_id as id, round(score, 1)::float8::text as score from bi.rank_latest`,
      );
      const scoreOf = (id: string) => rows.find((row) => row.id === id)?.score ?? 'none';
      await opened.show({ client: keyOf('account'), page: 'portfolio', days: 'all' });
      expect(await text('figure[data-chart=standings]')).toContain(scoreOf(clientId));
      expect(await text('[data-part=of-account]')).toBe('');
      await opened.show({ client: keyOf('account'), page: 'questions', days: 'all' });
      expect(await text('[data-part=of-account]')).toContain(
        'Data that is known to be of a client is on the page of that client',
      );
      await opened.show({ client: keyOf('client'), page: 'client', days: 'all' });
      expect(await text('[data-part=of-account]')).toBe('');
      expect(await text('figure[data-chart=standing] h2')).toContain(`AI Rank is ${scoreOf(clientId)}`);
      const { rows: revenue } = await database.pool.query<{ text: string }>(
        `select to_char(sum(revenue_amount), 'FM999,999,990.00') || ' ' || currency_code as text
         from bi.revenue where client_id = $1 group by currency_code`,
        [clientId],
      );
      await opened.show({ client: keyOf('client'), page: 'business', days: 'all' });
      const title = await text('figure[data-chart=revenue] h2');
      for (const one of revenue) expect(title).toContain(one.text);
      await opened.page.close();
    });

    it('answers three questions of an account manager within two clicks each', async () => {
      const opened = await openFile(browser, file, looks[0]);
      const { page, text } = opened;
      const arrived = async (name: string) => {
        await page.waitForFunction(
          `document.querySelector('main').dataset.page === '${name}' && document.querySelector('main').ariaBusy !== 'true'`,
        );
        await page.waitForTimeout(100);
      };
      await opened.show({ client: keyOf('account'), page: 'portfolio', days: 'all' });
      // Is it really falling, and where?
      await page.click('figure[data-chart=standings] tbody a');
      await arrived('client');
      expect(await text('figure[data-chart=standing] h2')).toMatch(/Named in .* of the answers to .*AI Rank/);
      expect(await text('figure[data-chart=mention-rate] .multi')).toMatch(/%/);
      // Who is named instead of us for this question?
      await page.click('#to-questions');
      await arrived('questions');
      expect(await text('figure[data-chart=questions] thead')).toContain('Named instead');
      await page.click('figure[data-chart=questions] [data-action=open]');
      expect(await text('.opened')).toMatch(/Names the brand.*https?:/s);
      await picture(page, 'walk-answers');
      // Asks next which pages the brand should get into.
      await page.click('#to-sources');
      await arrived('sources');
      expect(await text('main figure, [data-part=not-here]')).toMatch(/cite|Where to get in/);
      await page.close();
    });

    it('prints whole pictures in light colours, from a dark page too', async () => {
      const look: Look = { language: 'es', widthPx: 1280, colorScheme: 'dark' };
      const opened = await openFile(browser, file, look);
      for (const [of, one] of views) {
        await opened.page.setViewportSize({ width: look.widthPx, height: 900 });
        await opened.show({ client: keyOf(of), page: one, days: 'all' });
        await opened.page.emulateMedia({ media: 'print' });
        await opened.page.setViewportSize({ width: 700, height: 900 });
        expect(await opened.page.evaluate('document.documentElement.scrollWidth'), `${of} ${one}`).toBe(700);
        await opened.page.emulateMedia({ media: 'screen' });
      }
      await opened.page.setViewportSize({ width: look.widthPx, height: 900 });
      await opened.show({ client: keyOf('client'), page: 'client', days: 'all' });
      await opened.page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      await opened.page.emulateMedia({ media: 'print' });
      await opened.page.setViewportSize({ width: 700, height: 900 });
      await opened.page.waitForTimeout(200);
      const faults = await opened.page.evaluate<string[]>(`
        [...document.querySelectorAll('svg.plot')].flatMap((svg) => {
          const place = svg.closest('.card').getBoundingClientRect();
          const beyond = [...svg.querySelectorAll('circle, text')]
            .filter((one) => one.getBoundingClientRect().right > place.right + 1);
          return beyond.map((one) => svg.closest('figure').dataset.chart + ': ' + one.textContent);
        })`);
      expect(faults).toEqual([]);
      expect(await opened.page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      await picture(opened.page, 'printed-client');
      await opened.page.close();
    });

    it('is used by keyboard: past the header, into the first table', async () => {
      const opened = await openFile(browser, file, looks[0]);
      await opened.show({ client: keyOf('client'), page: 'client' });
      await opened.page.keyboard.press('Tab');
      expect(await opened.page.evaluate('document.activeElement.getAttribute("href")')).toBe('#main');
      await opened.page.keyboard.press('Enter');
      for (let press = 0; press < 10; press += 1) {
        await opened.page.keyboard.press('Tab');
        const action = await opened.page.evaluate('document.activeElement.dataset.action');
        if (action === 'table') break;
      }
      await opened.page.keyboard.press('Enter');
      expect(await opened.page.evaluate('document.querySelectorAll(".figs[open] table").length')).toBe(2);
      await opened.page.close();
    });
  });

  describe('the live dashboard', () => {
    let database: TestDatabase;
    let served: ServedDashboard;
    beforeAll(async () => {
      database = await createSandboxWarehouse({ from, days: 2 });
      served = await serveDashboardHere({ DATABASE_URL: database.url, AIRANK_DATA_DIR: folder }, folder);
    });
    afterAll(async () => {
      await served?.stop();
      await database?.drop();
    });

    it('asks below its address alone, also after a click and a reload, and hands it to no other site', async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      // Its policy allows no script that is made of a text.
      const ready = (name: string) => page.waitForSelector(`main[data-page=${name}][data-state=ready]`);
      await page.goto(served.url);
      await ready('portfolio');
      await page.click('figure[data-chart=standings] tbody a');
      await ready('client');
      await page.click('#to-sources');
      await ready('sources');
      await page.reload();
      await ready('sources');
      expect(page.url()).toContain(`${served.url}?client=`);
      expect(asked.filter((url) => !url.startsWith(served.url))).toEqual([]);
      expect(asked.length).toBeGreaterThan(8);
      const other = await startLoopbackServer((_, response) => response.end());
      await page.evaluate(`location.assign(${JSON.stringify(other.url)})`);
      await expect.poll(() => other.requests.map(({ headers }) => headers.referer)).toContain(undefined);
      expect(other.requests.filter(({ headers }) => headers.referer !== undefined)).toEqual([]);
      await page.close();
      await other.close();
    });
  });

  describe('a dashboard of a hostile world', () => {
    let database: TestDatabase;
    let file: string;
    beforeAll(async () => {
      database = await createSandboxWarehouse({ from, days: 3, before: startHostileServer });
      file = await fileOf(database, 'hostile.html');
    });
    afterAll(async () => {
      await database?.drop();
    });

    it.each(looks.slice(1, 3))(
      '$language, $widthPx px: runs nothing of it, and breaks nowhere',
      async (look) => {
        const clientId = await someClient(database);
        const opened = await openFile(browser, file, look);
        for (const [of, page] of views) {
          await opened.show({ client: `default/${of === 'account' ? '' : clientId}`, page, days: 'all' });
          await picture(opened.page, `hostile-${of}-${page}-${look.language}-${look.widthPx}`);
          await opened.page.evaluate(
            `for (const summary of document.querySelectorAll('[data-action=table]')) summary.click()`,
          );
          expect(await opened.page.evaluate(`window.${trap} === undefined`), `${of} ${page}`).toBe(true);
          expect(await faultsOf(opened.page), `${of} ${page}`).toEqual([]);
        }
        expect(opened.complaints).toEqual([]);
        await opened.page.close();
      },
    );

    it.each(looks)(
      '$language, $widthPx px: a report fits, can be read by all, and runs nothing',
      async (look) => {
        const args = ['report', await someClient(database), '--period', 'week', '--date', '2026-03-02'];
        args.push('--language', look.language, '--anyway', '--output', 'report.html');
        const said = await airank(args, { cwd: folder, env: { DATABASE_URL: database.url } });
        expect(said, said.stderr).toMatchObject({ exitCode: 0 });
        const { page } = await openFile(browser, join(folder, 'report.html'), look);
        await page.goto(pathToFileURL(join(folder, 'report.html')).href);
        await picture(page, `report-${look.language}-${look.widthPx}`);
        expect(await page.evaluate(`window.${trap} === undefined`)).toBe(true);
        expect(await faultsOf(page)).toEqual([]);
        await page.close();
      },
    );
  });
});
