// First contact with servers that have field names, formats and nestings of their own: after two dates without a
// setting the fields of the curated views are found, and none is wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../src/streams/catalog.ts';
import { createDatabase, type Executor } from '../../src/warehouse/connection/database.ts';
import { readMappingLines } from '../../src/warehouse/mapping/read-mapping.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { atlasWorld } from '../worlds/atlas/atlas-world.ts';
import { englishWorld } from '../worlds/english/english-world.ts';
import { type Judgement, judgeMapping, sharesOf } from '../worlds/judge-mapping.ts';
import { mixedWorld } from '../worlds/mixed/mixed-world.ts';
import { norteWorld } from '../worlds/norte/norte-world.ts';
import { serveWorld } from '../worlds/serve-world.ts';
import { spanishWorld } from '../worlds/spanish/spanish-world.ts';

describe.each([spanishWorld, englishWorld, mixedWorld, norteWorld, atlasWorld])(
  'the $name world',
  (world) => {
    let database: TestDatabase;
    let db: Executor;
    let judged: readonly Judgement[];

    beforeAll(async () => {
      database = await createTestDatabase();
      db = createDatabase(database.pool);
      const served = await serveWorld(world);
      try {
        for (const runDate of ['2026-06-01', '2026-06-02']) {
          const streams = catalog.map(({ name }) => name);
          await syncOnce({ pool: database.pool, url: served.baseUrl, runDate, streams, everyClient: true });
          served.nextDay();
        }
      } finally {
        await served.close();
      }
      judged = judgeMapping(world.truth, await readMappingLines(db));
    }, 120_000);

    afterAll(async () => {
      await database.drop();
    });

    it('has no field mapped wrongly', () => {
      expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    });

    it('has 85 % of its fields right without a hand, and 95 % with the first proposals', () => {
      const { present, right, proposed } = sharesOf(judged);
      expect(right / present).toBeGreaterThanOrEqual(0.85);
      expect((right + proposed) / present).toBeGreaterThanOrEqual(0.95);
    });

    it('shows figures: a comparable rank for each client, and the account by its own name', async () => {
      const count = async (text: string) =>
        Number((await database.pool.query<{ n: string }>(text)).rows[0]?.n);
      const clients = await count(`select count(*) as n from bi.clients where client_id <> ''`);
      expect(clients).toBeGreaterThan(0);
      expect(
        await count(
          `select count(distinct client_id) as n from bi.rank_latest join bi.clients using (account, client_id) where client_id <> ''`,
        ),
      ).toBe(clients);
    });
  },
);
