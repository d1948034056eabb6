// First contact with servers that have field names, formats and nestings of their own: without a
// setting the fields of the curated views are found, and none is wrong; clients and records are known again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { readMappingLines } from '../../src/mapping/mapping-lines.ts';
import { catalog } from '../../src/streams/catalog.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { type Judgement, judgeMapping, sharesOf } from '../worlds/judge-mapping.ts';
import { knownRecords } from '../worlds/known-records.ts';
import { createWorldWarehouse } from '../worlds/serve-world.ts';
import { englishWorld, spanishWorld } from '../worlds/worlds.ts';

const runDates = ['2026-04-20', '2026-04-21'] as const;

/** The path that identifies the records of each stream; '' where their content does. */
async function readFixedKeys({ pool }: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await pool.query<{ stream: string; record_key: string[][] }>(
    'select stream, record_key from sync.stream where record_key is not null',
  );
  return Object.fromEntries(
    rows.map(({ stream, record_key }) => [stream, record_key.map((path) => path.join('.')).join(' and ')]),
  );
}

describe.each([spanishWorld, englishWorld])('the $name world', (world) => {
  let database: TestDatabase;
  let judged: readonly Judgement[];
  /** By stream, after the first date. */
  let firstKeys: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const first = await createWorldWarehouse(world, runDates.slice(0, 1));
    firstKeys = await readFixedKeys(first);
    await first.drop();
    database = await createWorldWarehouse(world, runDates);
    judged = judgeMapping(world.truth, await readMappingLines(createDatabase(database.pool)));
  }, 120_000);

  afterAll(async () => {
    await database.drop();
  });

  it('has no field mapped wrongly, and 89 % of them right without a hand', () => {
    expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const { present, right } = sharesOf(judged);
    expect(right / present).toBeGreaterThanOrEqual(0.89);
  });

  it('knows whom competitors are compared with by the names of the clients', () => {
    const brands = judged.filter(({ field }) => field === 'competitors.brand');
    expect(brands.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
  });

  it('shows figures: a comparable rank for each client, and the account by its own name', async () => {
    const count = async (text: string) => Number((await database.pool.query<{ n: string }>(text)).rows[0]?.n);
    const clients = await count(`select count(*) as n from bi.clients where client_id <> ''`);
    expect(clients).toBeGreaterThan(0);
    expect(
      await count(
        `select count(distinct client_id) as n from bi.rank_latest join bi.clients using (account, client_id) where client_id <> ''`,
      ),
    ).toBe(clients);
  });

  const known = knownRecords.get(world) ?? expect.unreachable();

  it('a first sync reads every client and knows each record by its identifier', async () => {
    expect(
      await database.rows(
        `select stream, error from sync.slice where run_date = $1 and (status <> 'complete' or error is not null)`,
        runDates[0],
      ),
    ).toEqual([]);
    const { rows: perClient } = await database.pool.query<{ clients: number }>(
      `select count(distinct client_id)::int as clients from sync.slice
         where client_id <> '' and run_date = $1 group by stream`,
      [runDates[0]],
    );
    expect(perClient).toEqual(catalog.filter((one) => one.perClient).map(() => ({ clients: known.clients })));
    const content = Object.fromEntries(known.byContent.map((stream) => [stream, '']));
    expect(firstKeys).toEqual({ ...known.recordKeys, ...content });
  });

  it('the next date ends only the records that are gone', async () => {
    expect(await readFixedKeys(database)).toEqual(firstKeys);
    const { rows } = await database.pool.query<{ stream: string; vanished: number; conflicts: number }>(
      `select stream, sum(vanished)::int as vanished, sum(key_conflicts)::int as conflicts
         from sync.slice where run_date = $1 group by stream`,
      [runDates[1]],
    );
    expect(rows.filter(({ conflicts }) => conflicts > 0)).toEqual([]);
    const gone = rows.filter((row) => row.vanished > 0 && !known.byContent.includes(row.stream));
    expect(Object.fromEntries(gone.map((row) => [row.stream, row.vanished]))).toEqual(known.vanished);
  });
});
