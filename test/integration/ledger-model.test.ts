// The ledger in memory, which simulations run on, answers as the one in Postgres does.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExactLedger, type Taken } from '../support/exact-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const startMs = Date.UTC(2026, 0, 1, 21, 0, 0);
const after = fc.oneof(
  fc.integer({ min: 0, max: 400 }),
  fc.integer({ min: 0, max: 9_000 }),
  fc.integer({ min: 0, max: 90_000 }),
  fc.integer({ min: 0, max: 20_000_000 }),
);
const reading = fc.record({
  otherUsers: fc.constantFrom(true, true, false),
  fixed: fc.constantFrom(true, true, true, false),
  limit: fc.integer({ min: 1, max: 40 }),
  remaining: fc.integer({ min: 0, max: 40 }),
  latencyMs: fc.integer({ min: 0, max: 3_000 }),
  endsFromMs: fc.integer({ min: -3_000, max: 59_000 }),
  endsByMs: fc.integer({ min: 0, max: 62_000 }),
  burst: fc.integer({ min: 1, max: 8 }),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('take'), people: fc.boolean(), after }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle'),
      which: fc.nat(),
      reading: fc.option(reading, { nil: undefined }),
      after,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('give back'), whose: fc.nat(), after }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('minute', 'day'),
      delayS: fc.integer({ min: 1, max: 90_000 }),
      learn: fc.boolean(),
      after,
    }),
  },
);

const dayMs = 86_400_000;
const dayOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs;
let accounts = 0;

it('grants, refuses, frees, gives back, closes and learns alike, whatever is asked when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(40)),
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(1_000)),
      fc.nat(3),
      async (steps, perMinute, perDay, reserved) => {
        accounts += 1;
        const account = `model-${accounts}`;
        const reserve = Math.min(reserved, perDay);
        const model = createExactLedger({ perMinute, perDay, reserve, renewsMs: 5_400_000, holdMs: 72_000 });
        const open: { taken: Taken; purpose: 'job' | 'people' }[] = [];
        let granted = 0;
        let givenBack = 0;
        let nowMs = startMs;
        for (const one of steps) {
          nowMs += one.after;
          const at = new Date(nowMs).toISOString();
          if ('people' in one) {
            const purpose = one.people ? 'people' : 'job';
            const taken = model.take(purpose, nowMs);
            const { rows } = await database.pool.query(
              `select * from sync.take_token($1, 's', $2, $3, $4, $5,
                 sync.day_renewal($1, interval '90 minutes', true), '72 s', $6::timestamptz)`,
              [account, purpose, perMinute, perDay, reserve, at],
            );
            const [row] = rows;
            expect({
              granted: row.granted,
              reason: row.reason,
              retryInMs: Math.round(row.retry_in_ms),
              slotMs: row.slot === null ? null : row.slot.getTime(),
              usedToday: row.used_today,
              remainingToday: row.remaining_today,
              counted:
                row.day_of === null
                  ? null
                  : { day: dayOf(row.day_of), hour: row.hour_of.getTime() / 3_600_000 },
              givenBackToday: row.given_back_today,
            }).toEqual(taken);
            if (taken.granted) {
              granted += 1;
              open.push({ taken, purpose });
            }
          } else if ('whose' in one) {
            const [back] = open.length === 0 ? [] : open.splice(one.whose % open.length, 1);
            const { slotMs, counted } = back?.taken ?? {};
            if (back === undefined || slotMs == null || counted == null) continue;
            givenBack += 1;
            model.giveBack(back.purpose, back.taken);
            await database.pool.query('select sync.give_back($1, $2, $3, $4, $5, $6)', [
              account,
              's',
              back.purpose,
              new Date(slotMs).toISOString(),
              new Date(counted.day * dayMs).toISOString().slice(0, 10),
              new Date(counted.hour * 3_600_000).toISOString(),
            ]);
          } else if ('which' in one) {
            const [done] = open.length === 0 ? [] : open.splice(one.which % open.length, 1);
            const slotMs = done?.taken.slotMs;
            if (slotMs == null) continue;
            model.settle(slotMs, nowMs, one.reading);
            await database.pool.query('select sync.settle_token($1, $2, $3, $4)', [
              account,
              new Date(slotMs).toISOString(),
              at,
              one.reading === undefined ? null : JSON.stringify(one.reading),
            ]);
          } else {
            const scope = one.kind === 'day' ? 'day' : 'minute';
            model.block(scope, one.delayS * 1_000, one.learn, nowMs);
            await database.pool.query(
              'select sync.block_account($1, $2, make_interval(secs => $3), $4, $5::timestamptz)',
              [account, scope, one.delayS, one.learn, at],
            );
          }
        }
        const counts = model.counts();
        const days = await database.pool.query(
          'select day, used, given_back from sync.budget where account = $1 order by day',
          [account],
        );
        const stored = days.rows.map((row) => [dayOf(row.day), row.used, row.given_back]);
        expect(stored).toEqual(counts.days.toSorted(([one], [other]) => one - other));
        const hours = await database.pool.query(
          'select day, hour, purpose, requests from sync.budget_hour where account = $1',
          [account],
        );
        expect(
          new Map(
            hours.rows.map((row) => [
              `${dayOf(row.day)} ${row.hour.getTime() / 3_600_000} ${row.purpose}`,
              row.requests,
            ]),
          ),
        ).toEqual(counts.hours);
        // Nothing is lost and nothing is given back twice, whatever day it is counted under.
        const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
        expect(sum(days.rows.map((row) => row.used))).toBe(granted - givenBack);
        expect(sum(days.rows.map((row) => row.given_back))).toBe(givenBack);
        expect(sum(hours.rows.map((row) => row.requests))).toBe(granted - givenBack);
      },
    ),
    { numRuns: 100 },
  );
});

it('learns when the day renews from a day-sized refusal, and counts what was spent for the day that ends', async () => {
  const at = (time: string) =>
    database.pool.query(
      `select granted, used_today from sync.take_token('learner', 's', 'job', 99, 10, 0,
         sync.day_renewal('learner', '0', true), '72 s', $1::timestamptz)`,
      [time],
    );
  await at('2026-01-02T09:00:00Z');
  await at('2026-01-02T09:00:01Z');
  // The server renews at 15:00 and says so in whole seconds.
  await database.pool.query(
    `select sync.block_account('learner', 'day', make_interval(secs => 17998), true, '2026-01-02T10:00:01Z')`,
  );
  const { rows } = await database.pool.query(
    `select renews::text, renews_learned_at from sync.budget_account where account = 'learner'`,
  );
  expect(rows[0].renews).toBe('15:00:00');
  expect((await at('2026-01-02T15:00:00Z')).rows[0]).toEqual({ granted: true, used_today: 1 });
  expect((await at('2026-01-03T14:59:00Z')).rows[0]).toEqual({ granted: true, used_today: 2 });
  expect((await at('2026-01-03T15:00:00Z')).rows[0]).toEqual({ granted: true, used_today: 1 });
  const days = await database.pool.query(
    `select day, used from sync.budget where account = 'learner' order by day`,
  );
  expect(days.rows.map((row) => row.used)).toEqual([2, 2, 1]);
});

it('learns nothing from a wait of minutes, nor where the time is set', async () => {
  for (const [account, delay, learn] of [
    ['short', 300, true],
    ['set', 18_000, false],
  ]) {
    await database.pool.query(`select sync.block_account($1, 'day', make_interval(secs => $2), $3)`, [
      account,
      delay,
      learn,
    ]);
  }
  const { rows } = await database.pool.query(
    `select account, renews from sync.budget_account where account in ('short', 'set')`,
  );
  expect(rows.map((row) => row.renews)).toEqual([null, null]);
});
