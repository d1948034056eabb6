import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { enqueueBatch, enqueueLost } from '../../src/queue/enqueue.ts';
import { cancelBatch } from '../../src/queue/queued-batches.ts';
import { renameAccount } from '../../src/retention/accounts/rename-account.ts';
import { holdWrites } from '../../src/writes/store/write-book.ts';
import { withWrites } from '../../src/writes/with-writes.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  for (const account of ['old', 'other']) {
    await publishRecords(db, {
      stream: 'clientes',
      account,
      runDate: '2026-03-01',
      records: [{ id: 'c1', nombre: 'Uno' }],
    });
    for (const runDate of ['2026-03-01', '2026-03-02']) {
      const records = [{ id: 'p1', nombre: 'Mesa', presencia: runDate.endsWith('1') ? 0.5 : 0.6 }];
      await publishRecords(db, { stream: 'products', account, clientId: 'c1', runDate, records });
    }
  }
  await database.pool.query(`
    update sync.slice set status = 'planned' where account = 'old' and stream = 'products' and run_date = '2026-03-02';
    insert into sync.page (account, slice_id, page_no, cursor, records, requests, list)
      select 'old', id, 1, '', 0, 1, '[]' from sync.slice where account = 'old' and status = 'planned';
    insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      values ('old', 'c1', 'rank_fell', 'v2', '2026-03-02', 'warning', 'It fell', true, false);
    insert into sync.alert_telling (account, alert_id, channel) select account, id, 'mail' from sync.alert;
    insert into sync.notice (cause, kind, account, message, since)
      values ('key:old', 'key_refused', 'old', 'The key of account old is refused', now());
    insert into sync.budget (account, day, used) values ('old', '2026-03-02', 5), ('new', '2026-03-02', 2), ('new', '2026-03-03', 1)`);
});

afterAll(async () => {
  await database?.drop();
});

const job = { name: 'daily', description: 'x', accounts: ['old', 'other'] };
const dueAt = new Date('2026-03-03T03:00:00Z');
const enqueueDaily = async () =>
  await enqueueBatch(db, {
    ...{ job: 'daily', kind: 'sync', selection: { job }, accounts: ['old', 'other'], dueAt },
    ...{ priority: 'normal', spreadMs: 0 },
  });
const queued = async () =>
  (
    await database.pool.query(
      `select j.key, j.queue_name, p.payload ->> 'account' as account, j.run_at
       from airank_jobs.jobs as j join airank_jobs._private_jobs as p using (id) order by j.queue_name`,
    )
  ).rows;

async function shown(account: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select 'products' as of, to_jsonb(v) - '{account,client_key}'::text[] as value from bi_history.products as v where account = $1
     union all select 'clients', to_jsonb(v) - '{account,client_key,client_name}'::text[] from bi.clients as v where account = $1
     union all select 'alerts', to_jsonb(v) - '{account,client_key}'::text[] from bi.alerts as v where account = $1
     union all select 'tellings', to_jsonb(t) - 'account' from sync.alert_telling as t where account = $1
     union all select 'pages', to_jsonb(p) - 'account' - 'fetched_at' from sync.page as p where account = $1
     order by 1, 2`,
    [account],
  );
  return rows;
}

describe('rename account', () => {
  it('refuses an account without data, and a name that has some', async () => {
    await expect(renameAccount(database.pool, db, { from: 'nobody', to: 'new' })).rejects.toThrow(
      'got "nobody"',
    );
    await expect(renameAccount(database.pool, db, { from: 'old', to: 'other' })).rejects.toThrow(
      'Expected <new> to be a name without data, got "other"',
    );
  });

  it('refuses while a sync of the account runs', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into sync.worker (host, pid, version) values ('here', 1, '1') returning id`,
    );
    const workerId = rows[0]?.id ?? 0;
    await database.pool.query(
      `insert into sync.run (account, batch_id, run_date, worker_id) values ('old', 77, '2026-03-03', $1)`,
      [workerId],
    );
    const client = await database.pool.connect();
    await client.query('select pg_advisory_lock(sync.worker_lock_class(), $1::integer)', [workerId]);
    await expect(renameAccount(database.pool, db, { from: 'old', to: 'new' })).rejects.toThrow(
      'got a sync that runs',
    );
    await client.query('select pg_advisory_unlock_all()');
    client.release();
  });

  it('refuses while questions are sent, and those who send go by a name that the account has', async () => {
    const lock = await holdWrites(database.pool, 'old', 'questions');
    const renamed = renameAccount(database.pool, db, { from: 'old', to: 'new' }).finally(() =>
      lock?.release(),
    );
    await expect(renamed).rejects.toThrow('got a process that sends questions of old. Nothing was changed');
    await database.pool.query(`insert into sync.former_name (name, renamed_to) values ('gone', 'old')`);
    const { signal } = new AbortController();
    const sending = {
      pool: database.pool,
      account: 'gone',
      kind: 'questions',
      clock: systemClock,
      signal,
    } as const;
    await expect(withWrites({ ...sending, onBusy: () => undefined }, async () => 'sent')).rejects.toThrow(
      'Account gone was renamed to old',
    );
    await database.pool.query('delete from sync.former_name');
  });

  it('refuses while a worker has a run of it', async () => {
    const batch = await enqueueDaily();
    await database.pool.query(`update airank_jobs._private_jobs set locked_at = now(), locked_by = 'w'`);
    await expect(renameAccount(database.pool, db, { from: 'old', to: 'new' })).rejects.toThrow(
      'got a worker that has taken a run of it from the queue',
    );
    await database.pool.query('update airank_jobs._private_jobs set locked_at = null, locked_by = null');
    await cancelBatch(db, Number(batch));
  });

  it('keeps everything of it together, and leaves other accounts alone', async () => {
    const before = await shown('old');
    const other = await shown('other');
    const batch = await enqueueDaily();
    const [waiting] = await queued();
    const { rows } = await renameAccount(database.pool, db, { from: 'old', to: 'new' });
    expect(rows).toMatchObject({ 'snapshot.products': 2, 'typed.products': 2, 'sync.alert_telling': 1 });
    expect(await shown('new')).toEqual(before);
    expect(await shown('other')).toEqual(other);
    expect(await shown('old')).toEqual([]);
    // The batch goes on with the account under its new name, and takes no other one for lost.
    expect(await enqueueLost(db)).toBe(0);
    expect(await queued()).toEqual([
      { key: `${batch}:1:new`, queue_name: 'account:new', account: 'new', run_at: waiting?.run_at },
      expect.objectContaining({ key: `${batch}:1:other`, queue_name: 'account:other' }),
    ]);
    const { rows: batches } = await database.pool.query('select selection from sync.batch where id = $1', [
      batch,
    ]);
    expect(batches[0]?.selection).toMatchObject({
      accounts: ['new', 'other'],
      job: { accounts: ['new', 'other'] },
    });
    const notices = await database.pool.query('select cause, message from sync.notice');
    expect(notices.rows).toEqual([{ cause: 'key:new', message: 'The key of account new is refused' }]);
    const budget = await database.pool.query(
      `select account, day::text, used from sync.budget where account in ('old', 'new') order by day`,
    );
    expect(budget.rows).toEqual([
      { account: 'new', day: '2026-03-02', used: 7 },
      { account: 'new', day: '2026-03-03', used: 1 },
    ]);
  });
});
