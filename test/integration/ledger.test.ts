import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

let accounts = 0;
function freshLedger(perDay: number, { reservePercent = 0, learnDayRenewal = false } = {}) {
  accounts += 1;
  const account = `account-${accounts}`;
  const limits = new Map([[account, { perDay, reservePercent }]]);
  const open = () =>
    createLedger(database.db, { limits, dayRenewsAtMinutes: 0, learnDayRenewal, sendWithinMs: 10_000 });
  const ledger = open();
  const take = (purpose: 'job' | 'people' = 'job', perMinute = 1_000_000, by = ledger) =>
    by.take({ account, stream: 'airank', purpose, perMinute });
  return { account, ledger, take, open };
}

describe('the ledger', () => {
  it('grants exactly the day, however many ask at once over several connections', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60 }),
        async (perDay, asked) => {
          const { take } = freshLedger(perDay);
          const grants = await Promise.all(Array.from({ length: asked }, () => take()));
          expect(grants.filter((grant) => grant.granted)).toHaveLength(Math.min(perDay, asked));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('grants exactly the minute, however many ask at once', async () => {
    const { take } = freshLedger(1_000);
    const grants = await Promise.all(Array.from({ length: 40 }, () => take('job', 7)));
    expect(grants.filter((grant) => grant.granted)).toHaveLength(7);
    expect(grants.find((grant) => !grant.granted)).toMatchObject({ reason: 'minute' });
  });

  it('keeps the reserve from jobs and gives it to people', async () => {
    const { take } = freshLedger(21, { reservePercent: 5 });
    const granted = async (purpose: 'job' | 'people') => {
      const grants = await Promise.all(Array.from({ length: 30 }, () => take(purpose)));
      return grants.filter((grant) => grant.granted).length;
    };
    expect([await granted('job'), await granted('people')]).toEqual([19, 2]);
  });

  it('leaves no hour without requests when all are given back, and takes nothing back twice', async () => {
    const { account, ledger, take } = freshLedger(6);
    const grant = await take('people');
    if (!grant.granted) throw new Error('not granted');
    const people = { stream: 'airank', purpose: 'people' } as const;
    await ledger.giveBack(grant.ticket, people);
    await ledger.giveBack(grant.ticket, people);
    const of =
      'from sync.budget_hour where account = $1 union all select used from sync.budget where account = $1';
    expect(await database.lines(`select requests ${of}`, account)).toEqual(['0']);
  });

  it('learns when the day renews from the server’s word alone, and only where a tenth of the day was spent', async () => {
    const learned = async (scope: 'minute' | 'day' | 'pause', spent: number) => {
      const { account, ledger, take } = freshLedger(100, { learnDayRenewal: true });
      for (let request = 0; request < spent; request += 1) await take();
      await ledger.block(account, scope, 7_200_000);
      const state = `select renews is not null, day_closed_until > now() + interval '119 minutes'
         from sync.budget_account where account = $1`;
      return (await database.lines(state, account))[0];
    };
    expect(await learned('day', 10)).toBe('true true');
    expect(await learned('day', 9)).toBe('false true');
    expect(await learned('pause', 10)).toBe('false true');
    expect(await learned('minute', 10)).toBe('false -');
  });

  it('sees nobody else on the key where a settlement of our own comes late', async () => {
    const at = (s: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, 0) + s * 1_000).toISOString();
    const ask = async (askedS: number, settledS: number, remaining: number, resetS: number) => {
      const { rows } = await database.pool.query(
        `select slot from sync.take_token('late', 's', 'job', 60, 5000, 0, '0', '72 s', $1::timestamptz)`,
        [at(askedS)],
      );
      const reading = { limit: 60, remaining, resetMs: resetS * 1_000, latencyMs: 100 };
      await database.pool.query(
        `select sync.settle_token('late', $1, '2026-01-01', '2026-01-01T10:00:00Z', '72 s', $2, $3)`,
        [rows[0].slot, JSON.stringify(reading), at(settledS)],
      );
    };
    for (let nth = 0; nth < 30; nth += 1) await ask(nth / 30, nth / 30 + 0.1, 59 - nth, 60);
    await ask(30, 33, 29, 30);
    expect(await database.rows(`select from sync.budget_other_users where account = 'late'`)).toEqual([]);
  });

  it('risks one request at a time for all processes on the key once one of them sees somebody else', async () => {
    const { take, ledger, open } = freshLedger(1_000);
    const ask = async () => {
      const grant = await take('job', 60);
      return grant.granted ? grant.ticket : undefined;
    };
    const tickets = [await ask(), await ask()];
    const reading = { limit: 60, remaining: 4, latencyMs: 50, resetMs: 30_000 };
    for (const ticket of tickets) if (ticket !== undefined) await ledger.settle(ticket, reading);
    const risked = await ask();
    expect(risked).toBeDefined();
    const other = open();
    const waits = { granted: false, reason: 'minute', retryInMs: 100 };
    expect(await take('job', 60, other)).toMatchObject(waits);
    // Its answer says that the minute is full: then nobody asks until that is over.
    if (risked !== undefined) await ledger.settle(risked, { ...reading, remaining: 0 });
    const refused = await take('job', 60, other);
    expect(refused).toMatchObject({ granted: false, reason: 'minute' });
    expect(refused.granted ? 0 : refused.retryInMs).toBeGreaterThan(25_000);
  });
});
