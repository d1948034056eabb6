// Pruning against a model that cannot be wrong: a warehouse in which only the dates that stay were ever published.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { datesThatStay } from '../../src/retention/prune/dates-that-stay.ts';
import { prune } from '../../src/retention/prune/prune.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database?.drop();
});

const firstDate = parseRunDate('2026-01-28') as RunDate;
const lastDay = 24;

interface Day {
  readonly date: RunDate;
  /** Presence of products by id; undefined: nothing is published. */
  readonly products: readonly (readonly [number, number])[] | undefined;
  readonly unit: string;
  /** The AI Rank, and how many days before the run date it was measured; null: it has no date of its own. */
  readonly rank: { readonly score: number; readonly age: number | null } | undefined;
}

const day = fc.record({
  gap: fc.constantFrom(1, 1, 1, 2, 5),
  products: fc.option(
    fc.uniqueArray(fc.tuple(fc.nat(2), fc.nat(2)), { selector: ([id]) => id, maxLength: 3 }),
    { nil: undefined, freq: 5 },
  ),
  unit: fc.constantFrom('EUR', 'EUR', 'USD'),
  rank: fc.option(fc.record({ score: fc.nat(2), age: fc.constantFrom(0, 1, 1, 2, null) }), {
    nil: undefined,
    freq: 8,
  }),
});

const history = fc.array(day, { minLength: 2, maxLength: 8 }).map((days) => {
  let date = firstDate;
  return days.map(({ gap, ...one }): Day => {
    date = addDays(date, gap);
    return { ...one, date };
  });
});

async function publishDay(account: string, { date, products, unit, rank }: Day): Promise<void> {
  const slice = { account, clientId: 'c1', runDate: date };
  if (products !== undefined) {
    await publishRecords(db, {
      ...slice,
      stream: 'products',
      records: products.map(([id, seen]) => ({ id: `p${id}`, nombre: 'Mesa', presencia: seen / 4 })),
      rest: { moneda: unit },
    });
  }
  if (rank === undefined) return;
  const measured = rank.age === null ? {} : { fecha: addDays(date, -rank.age) };
  const record = { metodo: 'v2', comparable: true, puntuacion: rank.score, ...measured };
  await publishRecords(db, { ...slice, stream: 'airank', records: [record], key: [] });
}

/** Every version and typed row of an account, as text. */
async function stored(account: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select 'version ' || stream as of, to_jsonb(r) - '{account}'::text[] as value
       from snapshot.record as r where account = $1
     union all select 'products', to_jsonb(t) - '{account}'::text[] from typed.products as t where account = $1
     union all select 'rank_now', to_jsonb(t) - '{account}'::text[] from typed.rank_now as t where account = $1
     union all select 'rank_point', to_jsonb(t) - '{account}'::text[] from typed.rank_point as t where account = $1
     order by 1, 2`,
    [account],
  );
  return rows;
}

/** What a view shows, by date. */
async function shown(account: string, view: string, date: string) {
  const { rows } = await database.pool.query<{ date: string; value: string }>(
    `select ${date}::text as date, to_jsonb(v)::text as value from ${view} as v where account = $1 order by 2`,
    [account],
  );
  return groupBy(rows, (row) => row.date);
}

async function completeDates(account: string, stream: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ run_date: string }>(
    `select run_date::text from sync.slice where account = $1 and stream = $2 and completed_at is not null order by 1`,
    [account, stream],
  );
  return rows.map((row) => row.run_date);
}

test('what is left is what publishing only the dates that stay would have stored, and each of them shows the same', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.integer({ min: 1, max: lastDay }),
      fc.constantFrom('weekly', 'monthly', undefined),
      async (days, before, keep) => {
        number += 1;
        const [account, model] = [`pruned-${number}`, `model-${number}`];
        for (const one of days) await publishDay(account, one);
        const ranksThen = await shown(account, 'bi.rank_trend', 'date');
        const productsThen = await shown(account, 'bi_history.products', 'run_date');
        const rule = { before: addDays(firstDate, before), keep };
        const picked = datesThatStay(await completeDates(account, 'airank'), rule);
        const input = {
          ...rule,
          account,
          streams: ['products', 'airank'],
          clientIds: undefined,
          signal: new AbortController().signal,
        };
        const foreseen = await prune(db, { ...input, isDry: true });
        expect(await prune(db, { ...input, isDry: false })).toEqual(foreseen);
        expect(await prune(db, { ...input, isDry: false })).toEqual({ streams: [], comparedDates: [] });

        const products = await completeDates(account, 'products');
        const ranks = await completeDates(account, 'airank');
        for (const one of days) {
          await publishDay(model, {
            ...one,
            products: products.includes(one.date) ? one.products : undefined,
            rank: ranks.includes(one.date) ? one.rank : undefined,
          });
        }
        expect(await stored(account)).toEqual(await stored(model));
        const ranksNow = await shown(account, 'bi.rank_trend', 'date');
        const productsNow = await shown(account, 'bi_history.products', 'run_date');
        for (const date of picked) expect(ranksNow.get(date)).toEqual(ranksThen.get(date));
        for (const date of products) expect(productsNow.get(date)).toEqual(productsThen.get(date));
      },
    ),
    { numRuns: 10 },
  );
});
