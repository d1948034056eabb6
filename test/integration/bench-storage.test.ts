// The storage bench compares like with like: the same records on the same dates in every layout.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { measureLayouts } from '../bench/storage/layouts.ts';
import { productRecord, revisions } from '../bench/storage/world.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
const world = { clients: 1, products: 40, dates: 5 };

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

it('changes about as many records a day as it says', () => {
  const share = (percent: number) => {
    const days = revisions({ clients: 1, products: 1_000, dates: 11 }, percent);
    const last = days.at(-1) ?? [];
    return last.reduce((sum, revision) => sum + revision, 0) / (last.length * 10);
  };
  expect(share(3)).toBeCloseTo(0.03, 1);
  expect(share(20)).toBeCloseTo(0.2, 1);
  expect(share(100)).toBe(1);
  expect(productRecord(1, 1)).toEqual(productRecord(1, 1));
  expect(productRecord(1, 1)).not.toEqual(productRecord(1, 2));
});

it('holds the same history in every layout', async () => {
  const db = createDatabase(database.pool);
  const days = revisions(world, 20);
  for (const [index, day] of days.entries()) {
    const records = day.map((revision, product) => productRecord(product, revision));
    await publishRecords(db, { stream: 'products', runDate: `2026-01-0${index + 1}`, records });
  }
  const changes = (days.at(-1) ?? []).reduce((sum, revision) => sum + revision, 0);
  const [versions, copies, addressed] = await measureLayouts(database.pool);
  expect(changes).toBeGreaterThan(10);
  expect(versions?.rows).toBe(40 + changes);
  expect(copies?.rows).toBe(40 * 5);
  expect(addressed?.rows).toBe(40 * 5 + 40 + changes);
  const { rows } = await database.pool.query(
    `select c.record_key, c.run_date, c.payload from bench.copy c
     except select r.record_key, r.run_date, p.payload from bench.reference r join bench.payload p using (hash)`,
  );
  expect(rows).toEqual([]);
  for (const size of [versions, copies, addressed]) expect(size?.tableBytes).toBeGreaterThan(8_192);
});
