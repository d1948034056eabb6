// Every chart's statement against a synced warehouse, and its words and picture in both languages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import type { DrawContext, Language } from '../../src/reporting/dashboard/charts/chart.ts';
import { darkPalette, lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';
import { chartStatement, readChart } from '../../src/reporting/reader/statements.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

const period = { from: '2026-03-01', to: '2026-03-05' };

let database: TestDatabase;
/** The account itself is one of them: what no client can be told of is its own. */
let clientIds: readonly string[];

beforeAll(async () => {
  database = await createSandboxWarehouse({ from: period.from, days: 5 });
  const { rows } = await database.pool.query<{ id: string }>(
    'select client_id as id from bi.clients order by is_account, client_id',
  );
  clientIds = rows.map(({ id }) => id);
});

afterAll(async () => {
  await database.drop();
});

function contextIn(language: Language): DrawContext {
  return {
    language,
    palette: language === 'en' ? lightPalette : darkPalette,
    period,
    compare: undefined,
    markers: [{ date: '2026-03-03', type: 'note', title: 'New site <b>live</b>' }],
    changes: [],
    clientKey: 'a/1',
    gaps: {},
    widthPx: 390,
  };
}

describe.each(charts.map((chart) => [chart.name, chart] as const))('the chart %s', (name, chart) => {
  /** Of the first client for which there is something to show. */
  const read = async (account: string) => {
    const scopes = chart.scope === 'client' ? clientIds : [''];
    let found = await readChart(database.pool, name, { account, clientId: scopes[0] ?? '', ...period });
    for (const clientId of scopes.slice(1)) {
      if (found.rows.length > 0) break;
      found = await readChart(database.pool, name, { account, clientId, ...period });
    }
    return found;
  };

  it('reads the columns that it says, from the views that it says', async () => {
    const { columns, rows } = await read('default');
    expect(columns).toEqual(chart.columns.map((column) => column.name));
    expect(rows.length).toBeGreaterThan(0);
    const { text } = chartStatement(name, { account: '', clientId: '', ...period });
    const views = new Set(
      [...text.matchAll(/\b(?:from|join)\s+([a-z_]+\.[a-z_0-9]+)/g)].map((match) => match[1]),
    );
    expect([...views].sort()).toEqual([...chart.views].sort());
    if (chart.dateColumn !== undefined) expect(columns).toContain(chart.dateColumn);
  });

  it.each(['en', 'es'] as const)('has a sentence and a picture in %s', async (language) => {
    const { rows } = await read('default');
    const title = chart.title(rows, contextIn(language));
    expect(title).toMatch(/\p{L}/u);
    expect(title).not.toMatch(/undefined|null|NaN|\.$/);
    expect(chart.draw(rows, contextIn(language)).length).toBeGreaterThan(0);
  });

  it('draws rows in which every value is missing', () => {
    const nothing = [chart.columns.map(() => null), chart.columns.map(() => null)];
    expect(chart.title(nothing, contextIn('en'))).not.toMatch(/undefined|null|NaN/);
    expect(() => chart.draw(nothing, contextIn('en'))).not.toThrow();
  });

  it('has no rows of an account that is not there', async () => {
    expect((await read('nobody')).rows).toEqual([]);
  });
});
