// Every chart's statement against a synced warehouse, and its words and pictures in both languages.
import { beforeAll, describe, expect, it } from 'vitest';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import { columnOf } from '../../src/reporting/dashboard/charts/columns.ts';
import { drawBars } from '../../src/reporting/dashboard/charts/draw-bars.ts';
import { drawTrend } from '../../src/reporting/dashboard/charts/draw-trend.ts';
import { fill } from '../../src/reporting/dashboard/charts/format.ts';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';
import { pictureTree, textOf } from '../../src/reporting/dashboard/charts/tree.ts';
import { viewsOf } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { chartStatement, readChart } from '../../src/reporting/reader/statements.ts';
import { drawContext, telling } from '../support/draw-context.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

/** From a Sunday to the next one. */
const period = { from: '2026-03-01', to: '2026-03-08' };

const database = useDatabase(() => createSandboxWarehouse({ from: period.from, days: 8 }));
/** The account itself is one of them: what no client can be told of is its own. */
let clientIds: readonly string[];

beforeAll(async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    'select client_id as id from bi.clients order by is_account, client_id',
  );
  clientIds = rows.map(({ id }) => id);
  await database.pool.query(
    `insert into sync.crawler_visit (account, host, bot, status, day, visits) values ('default', 'a.example', 'GPTBot', 200, '2026-03-02', 3)`,
  );
});

const reading = charts.filter(({ rowsOf }) => rowsOf === undefined);

describe.each(reading.map((chart) => [chart.name, chart] as const))('the chart %s', (_, chart) => {
  const name = chart.statement ?? chart.name;
  /** Reads the chart for the first client that has something to show. */
  const read = async (account: string) => {
    const scopes = chart.scope === 'account' ? [''] : clientIds;
    const found = [];
    for (const clientId of scopes)
      found.push(await readChart(database.pool, name, { account, clientId, ...period }));
    return found.find(({ rows }) => rows.length > 0) ?? found[0] ?? { columns: [], rows: [] };
  };

  it('reads columns that have words, every view of bi that it names, and nothing of another account', async () => {
    expect((await read('nobody')).rows).toEqual([]);
    const { columns, rows } = await read('default');
    expect(rows.length).toBeGreaterThan(0);
    for (const column of columns) expect(fill(columnOf(column).label, 'es'), column).not.toBe('');
    const named = [
      chart.dateColumn,
      ...chart.forms.flatMap((form) =>
        Object.entries(form).flatMap(([key, value]) => (key === 'as' || key === 'opens' ? [] : value)),
      ),
    ].filter((one) => one !== undefined);
    expect(named.filter((one) => !columns.includes(String(one)))).toEqual([]);
    const { text } = chartStatement(name, { account: '', clientId: '', ...period });
    expect(viewsOf(text).length).toBeGreaterThan(0);
    expect(text).not.toMatch(/\b(?:from|join)\s+(?:sync|snapshot|typed|bi_map)\./);
  });

  it.each(['en', 'es'] as const)('has a sentence and its pictures in %s', async (language) => {
    const { columns, rows } = await read('default');
    const own = fieldsOf(columns, rows);
    const title = chart.title(own, telling({ language, period }));
    expect(title).toMatch(/\p{L}/u);
    expect(title).not.toMatch(/undefined|null|NaN|\{|\.$/);
    expect(chart.headline?.(own, telling({ language, period })) ?? title).not.toMatch(
      /undefined|null|NaN|\{|\.$/,
    );
    for (const form of chart.forms) {
      if (form.as === 'bars') expect(drawBars(own, form, language)).not.toEqual([]);
      if (form.as !== 'trend') continue;
      const picture = drawTrend(own, form, drawContext({ language, period, label: title }));
      expect(picture).toBeDefined();
      if (picture !== undefined)
        expect(textOf(pictureTree(picture))).not.toMatch(/undefined|null|NaN|Infinity/);
    }
  });

  it('has a sentence where every value is missing, and draws nothing', async () => {
    const { columns } = await read('default');
    const nothing = fieldsOf(columns, [columns.map(() => null), columns.map(() => null)]);
    for (const said of [chart.title(nothing, telling()), chart.headline?.(nothing, telling()) ?? ''])
      expect(said).not.toMatch(/undefined|null|NaN|\{/);
    for (const form of chart.forms) {
      if (form.as === 'trend') expect(drawTrend(nothing, form, drawContext())).toBeUndefined();
      if (form.as === 'bars') expect(drawBars(nothing, form, 'en')).toEqual([]);
    }
  });
});

const longAgo = '2024-01-01';
const readRows = async (name: string, since: string) =>
  (await readChart(database.pool, name, { account: 'default', clientId: '', from: since, to: period.to }))
    .rows;

/** Weeks since 1970, from Monday to Sunday. */
function weekOf(date: string): number {
  return Math.floor((Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 3) / 7);
}

describe('over more than 180 days', () => {
  it.each(['rank-trend', 'rank-dimensions'])('%s shows the last point of each week', async (name) => {
    const rows = await readRows(name, longAgo);
    const keys = rows.map((row) => [weekOf(row[0] ?? ''), row[1], row[name === 'rank-trend' ? 4 : 2]].join());
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(keys.length);
    // The newest point of every series is there.
    const every = await readRows(name, period.from);
    expect(rows.at(-1)).toEqual(every.at(-1));
  });

  it('voice has the last date of each week, of a short period too', async () => {
    for (const since of [longAgo, period.from]) {
      const dates = (await readRows('voice', since)).map(([date]) => date);
      expect([...new Set(dates)]).toEqual(['2026-03-01', '2026-03-08']);
    }
  });

  it('mention-rate counts every answer of its weeks once', async () => {
    const counted = `select count(*) filter (where is_mentioned), count(is_mentioned) from bi.answers
       where client_id = '' and answered_date <= $1`;
    const shown = await readRows('mention-rate', longAgo);
    const sumOf = (place: number) => shown.reduce((sum, row) => sum + Number(row[place]), 0);
    expect([`${sumOf(5)} ${sumOf(6)}`]).toEqual(await database.lines(counted, period.to));
    expect(shown.length).toBeGreaterThan(0);
  });
});
