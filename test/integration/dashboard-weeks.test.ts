// Past 180 days the charts show fewer dates: which ones, and that nothing is lost by adding up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChart } from '../../src/reporting/reader/statements.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** From a Sunday to the next one. */
const [from, to, days] = ['2026-03-01', '2026-03-08', 8] as const;
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
    // The newest point of every series is there.
    const every = await readRows(name, from);
    expect(rows.at(-1)).toEqual(every.at(-1));
  });

  it('voice has the last date of each week, of a short period too', async () => {
    expect(datesOf(await readRows('voice', longAgo))).toEqual(['2026-03-01', '2026-03-08']);
    expect(datesOf(await readRows('voice', from))).toEqual(['2026-03-01', '2026-03-08']);
  });

  it('mention-rate counts every answer of its weeks once', async () => {
    const { rows } = await database.pool.query<{ known: number; mentioned: number }>(
      `select count(is_mentioned) as known, count(*) filter (where is_mentioned) as mentioned from bi.answers
       where client_id = '' and answered_date <= $1`,
      [to],
    );
    const shown = await readRows('mention-rate', longAgo);
    const sumOf = (place: number) => shown.reduce((sum, row) => sum + Number(row[place]), 0);
    expect({ mentioned: sumOf(5), known: sumOf(6) }).toEqual(rows[0]);
    expect(shown.length).toBeGreaterThan(0);
  });
});
