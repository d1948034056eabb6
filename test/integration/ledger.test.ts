import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

let accounts = 0;
function freshLedger(perDay: number, reservePercent = 0) {
  accounts += 1;
  const account = `account-${accounts}`;
  const limits = new Map([[account, { perDay, reservePercent }]]);
  const ledger = createLedger(database.db, {
    limits,
    dayRenewsAtMinutes: 0,
    learnDayRenewal: false,
    sendWithinMs: 10_000,
  });
  const take = (purpose: 'job' | 'people' = 'job', perMinute = 1_000_000) =>
    ledger.take({ account, stream: 'airank', purpose, perMinute });
  return { account, ledger, take };
}

/** Asks sync.take_token at a moment of the test's choice. */
async function takeAt(account: string, perMinute: number, perDay: number, at: string, renews = '0') {
  const { rows } = await database.pool.query(
    `select * from sync.take_token($1, 's', 'job', $2, $3, 0, $4::interval, '72 s', $5::timestamptz)`,
    [account, perMinute, perDay, renews, at],
  );
  return rows[0];
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
    const { take } = freshLedger(21, 5);
    const jobs = await Promise.all(Array.from({ length: 30 }, () => take()));
    expect(jobs.filter((grant) => grant.granted)).toHaveLength(19);
    expect(jobs.find((grant) => !grant.granted)).toMatchObject({ reason: 'day' });
    const people = await Promise.all(Array.from({ length: 30 }, () => take('people')));
    expect(people.filter((grant) => grant.granted)).toHaveLength(2);
  });

  it('does not stop for good when the clock is set back', async () => {
    await takeAt('back', 1, 99, '2026-06-01T10:00:00Z');
    expect(await takeAt('back', 1, 99, '2026-01-01T10:00:00Z')).toMatchObject({ granted: true });
  });

  it('leaves no hour without requests when all are given back, and takes nothing back twice', async () => {
    const { account, ledger, take } = freshLedger(6);
    const grant = await take('people');
    if (!grant.granted) throw new Error('not granted');
    const people = { stream: 'airank', purpose: 'people' } as const;
    await ledger.giveBack(grant.ticket, people);
    await ledger.giveBack(grant.ticket, people);
    const hours = await database.pool.query('select * from sync.budget_hour where account = $1', [account]);
    expect(hours.rows).toEqual([]);
    const days = await database.pool.query('select used from sync.budget where account = $1', [account]);
    expect(days.rows).toEqual([{ used: 0 }]);
  });

  it('learns when the day renews from the server’s word alone, and only where a tenth of the day was spent', async () => {
    const learned = async (scope: 'minute' | 'day' | 'pause', spent: number) => {
      accounts += 1;
      const account = `learner-${accounts}`;
      const limits = new Map([[account, { perDay: 100, reservePercent: 0 }]]);
      const options = { limits, dayRenewsAtMinutes: 0, learnDayRenewal: true, sendWithinMs: 10_000 };
      const ledger = createLedger(database.db, options);
      for (let request = 0; request < spent; request += 1)
        await ledger.take({ account, stream: 'airank', purpose: 'job', perMinute: 1_000 });
      await ledger.block(account, scope, 7_200_000);
      const { rows } = await database.pool.query(
        `select renews is not null as learned, day_closed_until > now() + interval '119 minutes' as closed
         from sync.budget_account where account = $1`,
        [account],
      );
      return rows[0];
    };
    expect(await learned('day', 10)).toEqual({ learned: true, closed: true });
    expect(await learned('day', 9)).toEqual({ learned: false, closed: true });
    expect(await learned('pause', 10)).toEqual({ learned: false, closed: true });
    expect(await learned('minute', 10)).toEqual({ learned: false, closed: null });
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
    const { rows } = await database.pool.query(
      `select * from sync.budget_other_users where account = 'late'`,
    );
    expect(rows).toEqual([]);
  });

  it('risks one request at a time for all processes on the key once one of them sees somebody else', async () => {
    const { account, take, ledger } = freshLedger(1_000);
    const ask = async () => {
      const grant = await take('job', 60);
      return grant.granted ? grant.ticket : undefined;
    };
    const tickets = [await ask(), await ask()];
    const reading = { limit: 60, remaining: 4, latencyMs: 50, resetMs: 30_000 };
    for (const ticket of tickets) if (ticket !== undefined) await ledger.settle(ticket, reading);
    const risked = await ask();
    expect(risked).toBeDefined();
    const limits = new Map([[account, { perDay: 1_000, reservePercent: 0 }]]);
    const other = createLedger(database.db, {
      limits,
      dayRenewsAtMinutes: 0,
      learnDayRenewal: false,
      sendWithinMs: 10_000,
    });
    const question = { account, stream: 'airank', purpose: 'job', perMinute: 60 } as const;
    expect(await other.take(question)).toMatchObject({ granted: false, reason: 'minute', retryInMs: 100 });
    // Its answer says that the minute is full: then nobody asks until that is over.
    if (risked !== undefined) await ledger.settle(risked, { ...reading, remaining: 0 });
    const refused = await other.take(question);
    expect(refused).toMatchObject({ granted: false, reason: 'minute' });
    expect(refused.granted ? 0 : refused.retryInMs).toBeGreaterThan(25_000);
  });

  it('counts by hour and stream who spent', async () => {
    const { account, take } = freshLedger(99);
    await take();
    await take();
    await take('people');
    const { rows } = await database.pool.query(
      'select stream, purpose, sum(requests)::int as requests from sync.budget_hour where account = $1 group by 1, 2 order by 2',
      [account],
    );
    expect(rows).toEqual([
      { stream: 'airank', purpose: 'job', requests: 2 },
      { stream: 'airank', purpose: 'people', requests: 1 },
    ]);
  });
});
