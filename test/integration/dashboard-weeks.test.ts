// Past 180 days the charts show fewer dates: which ones, and that nothing is lost by adding up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { citationChanges } from '../../src/reporting/dashboard/charts/citation-changes.ts';
import { mentionRate } from '../../src/reporting/dashboard/charts/mention-rate.ts';
import { narrow } from '../../src/reporting/dashboard/page/narrow.ts';
import { readChart } from '../../src/reporting/reader/statements.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** From a Saturday to a Thursday, on which the account's own questions are asked. */
const [from, to, days] = ['2026-02-28', '2026-03-05', 6] as const;
const longAgo = '2024-01-01';

let database: TestDatabase;

beforeAll(async () => {
  database = await createSandboxWarehouse({ from, days });
});

afterAll(async () => {
  await database.drop();
});

async function readRows(name: string, since: string) {
  const { rows } = await readChart(database.pool, name, {
    account: 'default',
    clientId: '',
    from: since,
    to,
  });
  return rows;
}

function datesOf(rows: readonly (readonly (string | null)[])[]) {
  return [...new Set(rows.map((row) => row[0]))];
}

/** Weeks since 1970, from Monday to Sunday. */
function weekOf(date: string): number {
  return Math.floor((Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 3) / 7);
}

describe('over more than 180 days', () => {
  it.each(['revenue', 'benchmark', 'crawl-errors', 'competitor-classes', 'competitors'])(
    '%s shows the last date of each week',
    async (name) => {
      const [some, every] = [await readRows(name, longAgo), await readRows(name, from)];
      expect(datesOf(every)).toHaveLength(days);
      expect(datesOf(some)).toEqual(['2026-03-01', '2026-03-05']);
      expect(some).toEqual(every.filter((row) => row[0] === '2026-03-01' || row[0] === '2026-03-05'));
    },
  );

  it.each(['rank-trend', 'rank-dimensions'])('%s shows the last point of each week', async (name) => {
    const rows = await readRows(name, longAgo);
    const series = rows.map((row) => [
      weekOf(row[0] ?? ''),
      row[1],
      ...(name === 'rank-trend' ? [row[4]] : [row[2]]),
    ]);
    const keys = series.map((one) => JSON.stringify(one));
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(keys.length);
    // Of every series the newest point is there.
    const every = await readRows(name, from);
    expect(rows.at(-1)).toEqual(every.at(-1));
  });

  it('action-status shows the end of each week and the newest date', async () => {
    expect(datesOf(await readRows('action-status', longAgo))).toEqual(['2026-03-01', '2026-03-05']);
    expect(datesOf(await readRows('action-status', from))).toEqual(['2026-03-01', '2026-03-05']);
  });

  // Periods that begin in the middle of a week, of rows that were read for years.
  const [ofAnswers, ofPages] = [
    { from: '2025-10-09', to },
    { from: '2026-03-04', to },
  ];

  it('mention-rate counts every answer once, also of a shorter period', async () => {
    const { rows } = await database.pool.query<{ known: number; mentioned: number }>(
      `select count(is_mentioned) as known, count(*) filter (where is_mentioned) as mentioned from bi.answers
       where client_id = '' and answered_date between $1 and $2`,
      [ofAnswers.from, to],
    );
    const shown = narrow(mentionRate, await readRows('mention-rate', longAgo), [ofAnswers]);
    const sumOf = (place: number) => shown.reduce((sum, row) => sum + Number(row[place]), 0);
    expect({ mentioned: sumOf(2), known: sumOf(3) }).toEqual(rows[0]);
    expect(shown.length).toBeGreaterThan(0);
  });

  it('citation-changes counts every page of changed-pages once, also of a shorter period', async () => {
    const pages = await readRows('changed-pages', ofPages.from);
    expect(pages.length).toBeGreaterThan(0);
    const shown = narrow(citationChanges, await readRows('citation-changes', longAgo), [ofPages]);
    const sums = shown.map((row) => Number(row[1]) + Number(row[2]));
    expect(sums.reduce((sum, count) => sum + count, 0)).toBe(pages.length);
  });
});
