// Random run dates with envelopes that change: the views say for each date what was published last for it, and what
// publishing derives is what a table that is filled anew has.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  const paths = {
    'products.currency': '^^moneda',
    'rank_history.method': '^^metodo',
    'rank_history.measured_at': '^^medido',
    'actions.status': '^^estado',
  };
  for (const [field, path] of Object.entries(paths)) await mapField(db, parseFieldPlace(field), path);
});

afterAll(() => database.drop());

const rows = async (text: string) => (await database.pool.query<{ t: string }>(text)).rows.map(({ t }) => t);

const derived = async (account: string) => ({
  points: await rows(
    `select t::text as t from typed.rank_point as t where account = '${account}' order by 1`,
  ),
  status: await rows(
    `select t::text as t from typed.action_status as t where account = '${account}' order by 1`,
  ),
  trend: await rows(`select t::text as t from bi.rank_trend as t where account = '${account}' order by 1`),
});

const day = (date: number) => new Date(Date.UTC(2026, 0, 1 + date)).toISOString().slice(0, 10);

interface Step {
  /** 0: the run date before is published again. */
  readonly daysLater: number;
  readonly values: readonly number[];
  /** Undefined: nothing beside the list. */
  readonly beside: number | undefined;
  readonly noise: number;
  readonly clientId: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  daysLater: fc.integer({ min: 0, max: 2 }),
  values: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
  beside: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  noise: fc.integer({ min: 0, max: 1 }),
  clientId: fc.constantFrom('', 'c'),
});

const same = { values: [1], noise: 0, clientId: 'c' };
/** In between the date said something else, of which nothing is left. */
const publishedAgain: Step[] = [
  { ...same, daysLater: 1, beside: 1 },
  { ...same, daysLater: 1, beside: 2 },
  { ...same, daysLater: 0, beside: 1, noise: 1 },
];

let world = 0;

it('a random history of envelopes is shown by date, and derived as it is read anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      world += 1;
      const account = `a${world}`;
      const date = new Map<string, number>();
      const model = new Map<string, readonly string[]>();
      for (const { daysLater, values, beside, noise, clientId } of steps) {
        const next = (date.get(clientId) ?? 0) + daysLater;
        date.set(clientId, next);
        const rest =
          beside === undefined
            ? {}
            : {
                moneda: `M${beside}`,
                metodo: `v${beside}`,
                medido: day(beside),
                estado: `e${beside}`,
                noise,
              };
        const of = { account, clientId, runDate: day(next), rest };
        const records = (make: (value: number, id: number) => object) =>
          values.map((value, id) => ({ id, ...make(value, id) }));
        await publishRecords(db, { ...of, stream: 'products', records: records((precio) => ({ precio })) });
        await publishRecords(db, {
          ...of,
          stream: 'airank_history',
          records: records((puntuacion, id) => ({ fecha: day(id), puntuacion, comparable: true })),
        });
        await publishRecords(db, {
          ...of,
          stream: 'actions',
          records: records((impacto) => ({ titulo: 'x', impacto })),
        });
        model.set(
          `${clientId} ${day(next)}`,
          values.map((value, id) => `${id} ${value} ${beside === undefined ? '' : `M${beside}`}`),
        );
      }
      const shown = await rows(
        `select concat_ws(' ', slice_client_id, run_date, record_key, price, coalesce(currency, '')) as t
         from bi_map.products_daily where account = '${account}' order by 1`,
      );
      const wanted = [...model].flatMap(([key, lines]) => lines.map((line) => `${key} ${line}`));
      expect(shown.toSorted()).toEqual(wanted.toSorted());
      const published = await derived(account);
      await rebuildAll(db, ['rank_history', 'actions', 'products']);
      expect(await derived(account)).toEqual(published);
    }),
    { numRuns: 4, examples: [[publishedAgain]] },
  );
}, 240_000);

it('a mapping of what stands beside a list is not read anew while it stays', async () => {
  expect(await refreshMapping(db)).toEqual([]);
});
