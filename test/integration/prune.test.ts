// What pruning leaves alone, what it keeps beside the dates that stay, and what syncs make of pruned dates.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/cli/context.ts';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { pruneWork } from '../../src/jobs/kinds/kind-work.ts';
import { type PruneInput, prune } from '../../src/retention/prune/prune.ts';
import { readPrunedDates } from '../../src/status/missing-dates.ts';
import { claimSlice, planSlices } from '../../src/store/slices/slices.ts';
import { historyOf, scopeHistory } from '../../src/store/validation/scope-history.ts';
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

/** The 1st is a Thursday. */
const day = (place: number) => `2026-01-${String(place).padStart(2, '0')}` as RunDate;

const rule = (account: string, more: Partial<PruneInput> = {}): PruneInput => ({
  before: day(29),
  keep: 'weekly',
  streams: ['airank', 'products'],
  account,
  clientIds: undefined,
  isDry: false,
  signal: new AbortController().signal,
  ...more,
});

async function publishProducts(account: string, places: readonly number[], clientId = ''): Promise<void> {
  for (const place of places) {
    const records = [{ id: 'p1', nombre: 'Mesa', presencia: place / 100 }];
    await publishRecords(db, { stream: 'products', account, clientId, runDate: day(place), records });
  }
}

function settings() {
  const { stdout, stderr } = process;
  const env = { DATABASE_URL: database.url, AIRANK_TIMEZONE: 'UTC' };
  const terminal = { env, cwd: '/nowhere', stdout, stderr, signal: new AbortController().signal };
  return readSettings(terminal, { needAccounts: false });
}

async function slices(account: string): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ run_date: string; status: string }>(
    'select run_date::text, status from sync.slice where account = $1 order by run_date',
    [account],
  );
  return Object.fromEntries(rows.map((row) => [row.run_date.slice(-2), row.status]));
}

describe('prune', () => {
  it('keeps the run date that brought the AI Rank of a date that stays', async () => {
    const account = 'facts';
    // Sunday the 11th stays; its score was read on Monday the 12th, which goes for its own sake.
    for (const [place, measured] of [
      [10, 9],
      [11, 10],
      [12, 11],
      [13, 12],
      [17, 16],
      [18, 17],
      [19, 18],
    ] as const) {
      const record = { metodo: 'v2', comparable: true, puntuacion: 40 + place, fecha: day(measured) };
      await publishRecords(db, {
        stream: 'airank',
        account,
        runDate: day(place),
        records: [record],
        key: [],
      });
    }
    await prune(db, rule(account));
    const { rows } = await database.pool.query(
      `select date::text, score::integer from bi.rank_trend where account = 'facts' order by date`,
    );
    expect(rows).toEqual([
      { date: day(10), score: 51 },
      { date: day(11), score: 52 },
      { date: day(17), score: 58 },
      { date: day(18), score: 59 },
    ]);
    expect(await slices(account)).toMatchObject({
      10: 'pruned',
      11: 'complete',
      12: 'complete',
      13: 'pruned',
    });
  });

  it('tells of dates that changes are compared with when they go, and the views say what they take then', async () => {
    const account = 'compared';
    const publish = (place: number, runDate: string) =>
      publishRecords(db, {
        stream: 'airank',
        account,
        runDate,
        records: [{ metodo: 'v2', comparable: true, puntuacion: 40 + place, fecha: runDate }],
        key: [],
      });
    for (const place of [1, 3, 5, 27, 28]) await publish(place, day(place));
    await publish(33, '2026-02-02');
    const latest = async () =>
      (
        await database.pool.query(
          `select date_28d::text, change_28d::integer, date_7d::text, change_7d from bi.rank_latest where account = $1`,
          [account],
        )
      ).rows;
    expect(await latest()).toEqual([{ date_28d: day(5), change_28d: 28, date_7d: null, change_7d: null }]);
    const monthly = { before: day(4), keep: undefined } as const;
    expect((await prune(db, rule(account, monthly))).comparedDates).toEqual([]);
    const weekly = { before: day(6), keep: undefined } as const;
    expect((await prune(db, rule(account, { ...weekly, isDry: true }))).comparedDates).toEqual([day(5)]);
    expect((await prune(db, rule(account, weekly))).comparedDates).toEqual([day(5)]);
    expect(await latest()).toEqual([{ date_28d: null, change_28d: null, date_7d: null, change_7d: null }]);
  });

  it('leaves the two newest dates of a scope alone, however old they are', async () => {
    await publishProducts('newest', [2, 3, 5, 6]);
    await prune(db, rule('newest', { keep: undefined }));
    expect(await slices('newest')).toEqual({
      '02': 'pruned',
      '03': 'pruned',
      '05': 'complete',
      '06': 'complete',
    });
  });

  it('touches the clients and accounts that are named only', async () => {
    for (const account of ['one', 'other']) {
      await publishProducts(account, [2, 3, 4], 'c1');
      await publishProducts(account, [2, 3, 4], 'c2');
    }
    const pruned = await prune(db, rule('one', { keep: undefined, clientIds: ['c1'] }));
    expect(pruned.streams).toMatchObject([
      { stream: 'products', scopes: 1, dates: 1, versions: 1, typedRows: 1 },
    ]);
    const { rows } = await database.pool.query(
      `select account, client_id from sync.slice where status = 'pruned'
       and account in ('one', 'other')`,
    );
    expect(rows).toEqual([{ account: 'one', client_id: 'c1' }]);
  });

  it('makes gaps that no sync fills again', async () => {
    await publishProducts('gaps', [2, 3, 4]);
    await prune(db, rule('gaps', { keep: undefined }));
    const { rows } = await database.pool.query(
      `select run_date::text, is_complete, status from bi_history.freshness where account = 'gaps' order by run_date limit 1`,
    );
    expect(rows).toEqual([{ run_date: day(2), is_complete: false, status: 'pruned' }]);
    const pruned = (await readPrunedDates(db, { from: day(1), to: day(31) })).filter(
      (one) => one.account === 'gaps',
    );
    expect(pruned).toEqual([{ account: 'gaps', dates: 1, slices: 1, first: day(2), last: day(2) }]);
    expect(await readPrunedDates(db, { from: day(30) })).toEqual([]);
    const [slice] = await planSlices(db, day(2), [{ stream: 'products', account: 'gaps', clientId: '' }], 1);
    expect(slice?.status).toBe('pruned');
    const claim = { account: 'gaps', sliceId: slice?.sliceId ?? 0, runId: 1 };
    expect(await claimSlice(db, { ...claim, walk: 'full', again: true })).toBe(false);
  });

  it('is what a job of its kind does, counted back from its due day', async () => {
    await publishProducts('job', [2, 3, 11, 12, 13]);
    const work = pruneWork(settings(), db);
    const job = {
      name: 'thin',
      description: 'x',
      kind: 'prune',
      keepDays: 10,
      streams: ['products'],
    } as const;
    const done = await work(
      { ...job, accounts: ['job'] },
      new Date('2026-01-22T05:30:00Z'),
      new AbortController().signal,
    );
    expect(done).toMatchObject({
      missing: undefined,
      summary: { before: day(12), streams: [{ stream: 'products', dates: 3 }] },
    });
    expect(await slices('job')).toMatchObject({ '11': 'pruned', '12': 'complete' });
    await expect(
      work({ ...job, streams: ['products', 'actions'] }, undefined, new AbortController().signal),
    ).rejects.toThrow(
      /^Expected the streams of job thin to be among those that are pruned .* got "actions"$/,
    );
  });

  it('goes on beside publishes of the same scope', async () => {
    await publishProducts('beside', [2, 3, 4, 5]);
    const input = rule('beside', { keep: undefined });
    await Promise.all([publishProducts('beside', [6, 7, 8]), prune(db, input), prune(db, input)]);
    await prune(db, input);
    const { rows } = await database.pool.query(
      `select r.run_date::text, r.until::text, t.presence::text from snapshot.products as r
       join typed.products as t on t.account = r.account and t.from_date = r.run_date and t.until = r.until
       where r.account = 'beside' order by 1`,
    );
    expect(rows).toEqual([
      { run_date: day(7), until: day(8), presence: expect.stringMatching('0.07') },
      { run_date: day(8), until: 'infinity', presence: expect.stringMatching('0.08') },
    ]);
  });

  it('leaves what speaks for or against an answer as it was', async () => {
    const scope = { stream: 'products', account: 'evidence', clientId: '' };
    await publishProducts('evidence', [2, 3, 4, 5]);
    await database.pool.query(
      `update sync.slice set doubt = 'strange' where account = 'evidence' and run_date in ($1, $2, $3)`,
      [day(2), day(4), day(5)],
    );
    const datesBefore = async () =>
      historyOf((await scopeHistory(scope, day(6), 1).execute(db)).rows[0], day(6)).datesBefore('strange');
    const before = await datesBefore();
    await prune(db, rule('evidence', { keep: undefined }));
    expect(await datesBefore()).toBe(before);
    expect(before).toBe(2);
  });
});
