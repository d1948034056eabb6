// The ledger in memory, which simulations run on, answers as the one in Postgres does.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExactLedger, type Taken } from '../support/exact-ledger.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const startMs = Date.UTC(2026, 0, 1, 21, 0, 0);
const between = (min: number, max: number) => fc.integer({ min, max });
/** A server that counts by the clock says `clock`; a sliding one says anything. */
const reading = fc.record({
  limit: fc.constantFrom(30, 30, 30, 7),
  remaining: between(0, 30),
  latencyMs: fc.oneof(between(0, 1_500), between(0, 6_000)),
  resetMs: fc.oneof(fc.constant('clock' as const), between(0, 60_000)),
});
function steps(after: fc.Arbitrary<number>, refusals: readonly ('minute' | 'day')[], longestDelayS: number) {
  const settled = { kind: fc.constant('settle'), which: fc.nat(), after };
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('take'), people: fc.boolean(), after }) },
    {
      weight: 8,
      arbitrary: fc.record({ ...settled, reading: fc.option(reading, { nil: undefined, freq: 8 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('give back'), whose: fc.nat(), after }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom(...refusals),
        delayS: between(1, longestDelayS),
        learn: fc.boolean(),
        after,
      }),
    },
  );
}
const aDay = steps(
  fc.oneof(between(0, 400), between(0, 9_000), between(0, 90_000), between(0, 20_000_000)),
  ['minute', 'day'],
  90_000,
);
/** Requests follow each other, and somebody else uses the key. */
const someMinutes = steps(
  fc.oneof(
    ...[400, 400, 400, 5_500, 5_500, 62_000].map((most) => between(0, most)),
    // The clock is set back.
    between(-2_000_000, 0),
  ),
  ['minute'],
  5,
);
const cases = fc.oneof(
  fc.record({
    steps: fc.array(aDay, { minLength: 5, maxLength: 60 }),
    perMinute: fc.oneof(between(1, 5), fc.constant(40)),
    perDay: fc.oneof(between(1, 12), fc.constant(1_000)),
    reserved: fc.nat(3),
  }),
  fc.record({
    steps: fc.array(someMinutes, { minLength: 30, maxLength: 90 }),
    perMinute: fc.constant(40),
    perDay: fc.constant(1_000),
    reserved: fc.constant(0),
  }),
);

const dayMs = 86_400_000;
/** The place in the minute, and the day and the hour it is counted under, as Postgres reads them. */
const tokenOf = ({ slotMs, counted }: Taken): [string, string, string] | undefined =>
  slotMs === null || counted === null
    ? undefined
    : [
        new Date(slotMs).toISOString(),
        new Date(counted.day * dayMs).toISOString().slice(0, 10),
        new Date(counted.hour * 3_600_000).toISOString(),
      ];
const dayOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs;
let accounts = 0;

it('grants, refuses, frees, gives back, closes and learns alike, whatever is asked when', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ steps, perMinute, perDay, reserved }) => {
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
            remainingToday: row.remaining_today,
            counted:
              row.day_of === null
                ? null
                : { day: dayOf(row.day_of), hour: row.hour_of.getTime() / 3_600_000 },
          }).toEqual(taken);
          if (taken.granted) {
            granted += 1;
            open.push({ taken, purpose });
          }
        } else if ('whose' in one) {
          const [back] = open.length === 0 ? [] : open.splice(one.whose % open.length, 1);
          const token = back && tokenOf(back.taken);
          if (back === undefined || token === undefined) continue;
          givenBack += 1;
          model.giveBack(back.purpose, back.taken);
          const [slot, ...under] = token;
          await database.rows(
            'select sync.give_back($1, $2, $3, $4, $5, $6)',
            ...[account, 's', back.purpose, slot, ...under],
          );
        } else if ('which' in one) {
          const [done] = open.length === 0 ? [] : open.splice(one.which % open.length, 1);
          const token = done && tokenOf(done.taken);
          if (done === undefined || token === undefined) continue;
          const untilRenewalMs = Math.ceil(60 - ((nowMs / 1_000) % 60)) * 1_000;
          const told = one.reading && {
            ...one.reading,
            resetMs: one.reading.resetMs === 'clock' ? untilRenewalMs : one.reading.resetMs,
          };
          model.settle(done.taken, nowMs, told);
          await database.rows(
            'select sync.settle_token($1, $2, $3, $4, $5, $6, $7)',
            ...[account, ...token, '72 s', told === undefined ? null : JSON.stringify(told), at],
          );
        } else {
          const scope = one.kind === 'day' ? 'day' : 'minute';
          model.block(scope, one.delayS * 1_000, one.learn, nowMs);
          await database.rows(
            'select sync.block_account($1, $2, make_interval(secs => $3), $4, $5::timestamptz)',
            ...[account, scope, one.delayS, one.learn, at],
          );
        }
      }
      const counts = model.counts();
      const days = await database.rows<{ day: string; used: number }>(
        'select day, used from sync.budget where account = $1 order by day',
        account,
      );
      expect(days.map(({ day, used }) => [dayOf(day), used])).toEqual(
        counts.days.toSorted(([one], [other]) => one - other),
      );
      const hours = await database.rows<{ day: string; hour: Date; purpose: string; requests: number }>(
        'select day, hour, purpose, requests from sync.budget_hour where account = $1',
        account,
      );
      const hourKey = ({ day, hour, purpose }: (typeof hours)[number]) =>
        `${dayOf(day)} ${hour.getTime() / 3_600_000} ${purpose}`;
      expect(new Map(hours.map((row) => [hourKey(row), row.requests]))).toEqual(counts.hours);
      // Nothing is lost and nothing is given back twice, whatever day it is counted under.
      const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
      expect(sum(days.map(({ used }) => used))).toBe(granted - givenBack);
      const ours = hours.filter(({ purpose }) => purpose !== 'other_users');
      expect(sum(ours.map(({ requests }) => requests))).toBe(granted - givenBack);
    }),
    { numRuns: 100 },
  );
});
