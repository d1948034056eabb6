// Random run dates with envelopes that change: the views say for each date what was published last for it, and what
// publishing derives is what a table that is filled anew has.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

beforeAll(async () => {
  const paths = {
    'products.currency': '^^moneda',
    'rank_history.method': '^^metodo',
    'rank_history.measured_at': '^^medido',
    'actions.status': '^^estado',
  };
  for (const [field, path] of Object.entries(paths))
    await mapField(database.db, parseFieldPlace(field), path);
});

const rows = (from: string) => database.lines(`select t::text from ${from} as t order by 1`);
const derived = async (account: string) => ({
  points: await rows(`(select * from typed.rank_point where account = '${account}')`),
  status: await rows(`(select * from typed.action_status where account = '${account}')`),
  trend: await rows(`(select * from bi.rank_trend where account = '${account}')`),
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
        const said = { moneda: `M${beside}`, metodo: `v${beside}`, estado: `e${beside}`, noise };
        const rest = beside === undefined ? {} : { ...said, medido: day(beside) };
        const of = { account, clientId, runDate: day(next), rest };
        const records = (make: (value: number, id: number) => object) =>
          values.map((value, id) => ({ id, ...make(value, id) }));
        await publishRecords(database.db, {
          ...of,
          stream: 'products',
          records: records((precio) => ({ precio })),
        });
        await publishRecords(database.db, {
          ...of,
          stream: 'airank_history',
          records: records((puntuacion, id) => ({ fecha: day(id), puntuacion, comparable: true })),
        });
        await publishRecords(database.db, {
          ...of,
          stream: 'actions',
          records: records((impacto) => ({ titulo: 'x', impacto })),
        });
        model.set(
          `${clientId} ${day(next)}`,
          values.map((value, id) => `${id} ${value} ${beside === undefined ? '' : `M${beside}`}`),
        );
      }
      const shown = await database.lines(
        `select concat_ws(' ', slice_client_id, run_date, record_key, price, coalesce(currency, ''))
         from bi_map.products_daily where account = $1`,
        account,
      );
      const wanted = [...model].flatMap(([key, lines]) => lines.map((line) => `${key} ${line}`));
      expect(shown.toSorted()).toEqual(wanted.toSorted());
      const published = await derived(account);
      await rebuildAll(database.db, ['rank_history', 'actions', 'products']);
      expect(await derived(account)).toEqual(published);
    }),
    { numRuns: 4, examples: [[publishedAgain]] },
  );
}, 240_000);

it('a mapping of what stands beside a list is not read anew while it stays', async () => {
  expect(await refreshMapping(database.db)).toEqual([]);
});
