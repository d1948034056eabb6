// Past 180 days the charts show fewer dates: which ones, and that nothing is lost by adding up.
import { describe, expect, it } from 'vitest';
import { readChart } from '../../src/reporting/reader/statements.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

/** From a Sunday to the next one. */
const [from, to, days] = ['2026-03-01', '2026-03-08', 8] as const;
const longAgo = '2024-01-01';

const database = useDatabase(() => createSandboxWarehouse({ from, days }));

const readRows = async (name: string, since: string) =>
  (await readChart(database.pool, name, { account: 'default', clientId: '', from: since, to })).rows;

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
    const every = await readRows(name, from);
    expect(rows.at(-1)).toEqual(every.at(-1));
  });

  it('voice has the last date of each week, of a short period too', async () => {
    for (const since of [longAgo, from]) {
      const dates = (await readRows('voice', since)).map(([date]) => date);
      expect([...new Set(dates)]).toEqual(['2026-03-01', '2026-03-08']);
    }
  });

  it('mention-rate counts every answer of its weeks once', async () => {
    const counted = `select count(*) filter (where is_mentioned), count(is_mentioned) from bi.answers
       where client_id = '' and answered_date <= $1`;
    const shown = await readRows('mention-rate', longAgo);
    const sumOf = (place: number) => shown.reduce((sum, row) => sum + Number(row[place]), 0);
    expect([`${sumOf(5)} ${sumOf(6)}`]).toEqual(await database.lines(counted, to));
    expect(shown.length).toBeGreaterThan(0);
  });
});
