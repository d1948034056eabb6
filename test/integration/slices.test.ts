import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { type HeldWorker, holdWorker } from '../../src/db/workers.ts';
import { ensureStreams } from '../../src/install/migrate.ts';
import { publish } from '../../src/publish/publish.ts';
import { readCheckpoint, storePage } from '../../src/store/pages/pages.ts';
import {
  detailsToFetch,
  forgetRefusedBut,
  noteRefused,
  readRefusedDates,
} from '../../src/store/scopes/details.ts';
import { type RunPlace, startRun } from '../../src/store/slices/runs.ts';
import {
  type Claim,
  claimSlice,
  endSlice,
  type PlannedSlice,
  planSlices,
} from '../../src/store/slices/slices.ts';
import { plainPage, publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const runDate = parseRunDate('2025-01-01') as RunDate;

let worker: HeldWorker;
let place: RunPlace;

beforeAll(async () => {
  worker = await holdWorker(database.pool, database.db);
  place = { batchId: 1, workerId: worker.id, attempt: 1 };
});

afterAll(async () => {
  await worker?.release();
});

async function planOne(account: string, stream: string): Promise<PlannedSlice> {
  const [slice] = await planSlices(database.db, runDate, [{ stream, account, clientId: '' }], 1);
  if (slice === undefined) throw new Error('no slice');
  return slice;
}

const storeList = (claim: Claim, list: string, nextCursor?: string) =>
  storePage(database.db, { ...claim, ...plainPage, nextCursor, listKey: 'l', text: `{"l":${list}}` });

test.each(['planned', 'deferred', 'failed'] as const)(
  'a %s slice goes on at its checkpoint, and starts over when claimed again',
  async (status) => {
    const run = await startRun(database.db, { ...place, account: status, runDate, plan: {} });
    const claim = { ...(await planOne(status, 'prompts')), runId: run.id, walk: 'full' as const };
    expect(await claimSlice(database.db, { ...claim, again: false })).toBe(true);
    await storeList(claim, '[{"id":1}]', 'next');
    await endSlice(database.db, claim, { status, error: undefined });

    expect(await claimSlice(database.db, { ...claim, again: false })).toBe(true);
    expect(await readCheckpoint(database.db, claim)).toMatchObject({ pageNo: 1, nextCursor: 'next' });
    // A living run walks it: its pages are not touched.
    const other = { ...claim, runId: claim.runId + 1_000 };
    expect(await claimSlice(database.db, { ...other, again: true })).toBe(false);
    expect(await readCheckpoint(database.db, claim)).toMatchObject({ pageNo: 1 });

    await endSlice(database.db, claim, { status, error: undefined });
    expect(await claimSlice(database.db, { ...claim, again: true })).toBe(true);
    expect(await readCheckpoint(database.db, claim)).toMatchObject({ pageNo: 0 });
    const { rows } = await database.pool.query(
      'select pages, records, requests from sync.slice where id = $1',
      [claim.sliceId],
    );
    expect(rows).toEqual([{ pages: 0, records: 0, requests: 0 }]);
    await run.finish('complete', {});
  },
);

test('details are asked for by values that are there and not empty', async () => {
  const run = await startRun(database.db, { ...place, account: 'details', runDate, plan: {} });
  const claim = { ...(await planOne('details', 'agent_runs')), runId: run.id };
  await claimSlice(database.db, { ...claim, walk: 'full', again: false });
  await storeList(claim, '[{"id":"b"},{"id":""},{"id":null},{"x":1},{"id":"a"}]');
  await publish(database.db, { ...claim, pages: 'chain', key: [['id']] });
  await run.finish('complete', {});
  const details = { stream: 'agent_run_traces', account: 'details', clientId: '' };
  expect(await detailsToFetch(database.db, { details, of: 'agent_runs', key: [['id']], runDate })).toEqual([
    'a',
    'b',
  ]);
});

/** Rows that were written to the table, and those that were read one after the other. */
async function rowsOf(table: string): Promise<{ written: number; read: number }> {
  const { rows } = await database.pool.query(
    `select (n_tup_ins + n_tup_upd)::integer as written, seq_tup_read::integer as read
     from pg_stat_user_tables where relid = $1::regclass`,
    [table],
  );
  return rows[0];
}

test('a publish reads its own scope, however many scopes and dates there are', async () => {
  const slice = { account: 'deep', stream: 'sources', clientId: 'c1', records: [{ id: 1 }] };
  await publishRecords(database.db, { ...slice, runDate: '2025-03-01' });
  await database.pool.query(`
    insert into sync.slice (stream, account, client_id, run_date, status, completed_at)
    select 'sources', 'deep', 'c' || c, date '2025-03-01' - d, 'complete', now()
    from generate_series(1, 100) as c, generate_series(1, 200) as d;
    insert into sync.newest (stream, account, client_id, run_date, completed_at)
    select 'sources', 'deep', 'c' || c, date '2025-02-28', now() from generate_series(2, 3000) as c;
    analyze sync.slice; analyze sync.newest`);
  const before = await Promise.all(['sync.slice', 'sync.newest'].map(rowsOf));
  // Postgres counts what a session read when it ends.
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'deep' });
  await publishRecords(createDatabase(pool), { ...slice, runDate: '2025-03-02' });
  await pool.end();
  for (const [index, table] of ['sync.slice', 'sync.newest'].entries()) {
    const { written = 0, read = 0 } = before[index] ?? {};
    await expect.poll(async () => (await rowsOf(table)).written).toBeGreaterThan(written);
    expect((await rowsOf(table)).read - read).toBeLessThan(1_000);
  }
  const { rows } = await database.pool.query(
    `select run_date::text, next_date::text from sync.slice where account = 'deep' and client_id = 'c1' order by run_date desc limit 2`,
  );
  expect(rows).toEqual([
    { run_date: '2025-03-02', next_date: null },
    { run_date: '2025-03-01', next_date: '2025-03-02' },
  ]);
});

beforeAll(async () => {
  await ensureStreams(database.db, ['details']);
});

/** Number that belongs to no stored batch. */
let batchId = 0;

/** A walk of single values: those given are stored, the others were refused. */
async function walk(runDate: string, given: readonly string[], refused: readonly string[]) {
  const scope = { stream: 'details', account: 'default', clientId: 'c1' };
  batchId -= 1;
  const { id: runId } = await database.db
    .insertInto('sync.run')
    .values({ account: 'default', batch_id: batchId, run_date: runDate })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [planned] = await planSlices(database.db, runDate as RunDate, [scope], runId);
  if (planned === undefined) throw new Error('no slice was planned');
  const claim = { ...planned, runId };
  await claimSlice(database.db, { ...claim, walk: 'details', again: true });
  for (const [index, recordKey] of given.entries()) {
    const page = {
      ...plainPage,
      pageNo: index + 1,
      cursor: recordKey,
      recordKey,
      listKey: '',
      text: '{"a":1}',
    };
    await storePage(database.db, { ...claim, ...page, hasNewTypes: false });
  }
  const errors = refused.map((value) => ({ value, error: 'HTTP 500' }));
  const carry = (tx: Executor) => noteRefused(tx, { ...claim, runDate }, errors);
  await publish(database.db, { ...claim, pages: 'single', key: [], carry });
  return await readRefusedDates(database.db, scope, '2026-02-01');
}

it('a value that gives data is no longer refused, and the others count their run dates', async () => {
  expect(await walk('2026-01-01', ['x'], ['y', 'z'])).toEqual(
    new Map([
      ['y', 1],
      ['z', 1],
    ]),
  );
  expect(await walk('2026-01-02', ['y'], ['z'])).toEqual(new Map([['z', 2]]));
  expect(await walk('2026-01-03', ['x', 'z'], [])).toEqual(new Map());
});

it('values that are no longer configured are not remembered, and those of other scopes are', async () => {
  await walk('2026-01-04', [], ['y', 'z']);
  const scope = { stream: 'details', account: 'default', clientId: 'c1' };
  await forgetRefusedBut(database.db, { ...scope, clientId: 'c2' }, []);
  await forgetRefusedBut(database.db, scope, ['x', 'z']);
  expect([...(await readRefusedDates(database.db, scope, '2026-02-01')).keys()]).toEqual(['z']);
  await forgetRefusedBut(database.db, scope, []);
  expect(await readRefusedDates(database.db, scope, '2026-02-01')).toEqual(new Map());
});
