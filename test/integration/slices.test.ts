import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { type HeldWorker, holdWorker } from '../../src/db/workers.ts';
import { publish } from '../../src/publish/publish.ts';
import { readCheckpoint, storePage } from '../../src/store/pages/pages.ts';
import { detailsToFetch } from '../../src/store/scopes/details.ts';
import { type RunPlace, startRun } from '../../src/store/slices/runs.ts';
import {
  type Claim,
  claimSlice,
  endSlice,
  type PlannedSlice,
  planSlices,
} from '../../src/store/slices/slices.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

const runDate = parseRunDate('2025-01-01') as RunDate;

let worker: HeldWorker;
let place: RunPlace;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  worker = await holdWorker(database.pool, db);
  place = { batchId: 1, workerId: worker.id, attempt: 1 };
});

afterAll(async () => {
  await worker?.release();
  await database?.drop();
});

async function planOne(account: string, stream: string): Promise<PlannedSlice> {
  const [slice] = await planSlices(db, runDate, [{ stream, account, clientId: '' }], 1);
  if (slice === undefined) throw new Error('no slice');
  return slice;
}

async function storeList(claim: Claim, list: string, nextCursor?: string): Promise<void> {
  const page = {
    ...claim,
    pageNo: 1,
    cursor: '',
    nextCursor,
    recordKey: undefined,
    listKey: 'l',
    records: 1,
  };
  await storePage(db, { ...page, text: `{"l":${list}}`, hasNewTypes: true, requests: 1, replacedBytes: 0 });
}

test.each(['planned', 'deferred', 'failed'] as const)(
  'a %s slice goes on at its checkpoint, and starts over when claimed again',
  async (status) => {
    const run = await startRun(db, { ...place, account: status, runDate, plan: {} });
    const claim = { ...(await planOne(status, 'prompts')), runId: run.id, walk: 'full' as const };
    expect(await claimSlice(db, { ...claim, again: false })).toBe(true);
    await storeList(claim, '[{"id":1}]', 'next');
    await endSlice(db, claim, { status, error: undefined });

    expect(await claimSlice(db, { ...claim, again: false })).toBe(true);
    expect(await readCheckpoint(db, claim)).toMatchObject({ pageNo: 1, nextCursor: 'next' });
    // A living run walks it: its pages are not touched.
    const other = { ...claim, runId: claim.runId + 1_000 };
    expect(await claimSlice(db, { ...other, again: true })).toBe(false);
    expect(await readCheckpoint(db, claim)).toMatchObject({ pageNo: 1 });

    await endSlice(db, claim, { status, error: undefined });
    expect(await claimSlice(db, { ...claim, again: true })).toBe(true);
    expect(await readCheckpoint(db, claim)).toMatchObject({ pageNo: 0 });
    const { rows } = await database.pool.query(
      'select pages, records, requests from sync.slice where id = $1',
      [claim.sliceId],
    );
    expect(rows).toEqual([{ pages: 0, records: 0, requests: 0 }]);
    await run.finish('complete', {});
  },
);

test('details are asked for by values that are there and not empty', async () => {
  const run = await startRun(db, { ...place, account: 'details', runDate, plan: {} });
  const claim = { ...(await planOne('details', 'agent_runs')), runId: run.id };
  await claimSlice(db, { ...claim, walk: 'full', again: false });
  await storeList(claim, '[{"id":"b"},{"id":""},{"id":null},{"x":1},{"id":"a"}]');
  await publish(db, { ...claim, pages: 'chain', key: [['id']] });
  await run.finish('complete', {});
  const details = { stream: 'agent_run_traces', account: 'details', clientId: '' };
  expect(await detailsToFetch(db, { details, of: 'agent_runs', key: [['id']], runDate })).toEqual(['a', 'b']);
});
