// A run that was taken for dead: another one has its slice, and what it still brings must not be stored.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { publish } from '../../src/publish/publish.ts';
import { dropPages, dropReread, storePage } from '../../src/store/pages/pages.ts';
import {
  type Claim,
  claimSlice,
  countRequests,
  endSlice,
  LostSliceError,
  type PlannedSlice,
  planSlices,
} from '../../src/store/slices/slices.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;
let day = 0;
let sliceId: number;
let first: PlannedSlice;
let second: PlannedSlice;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});
afterAll(() => database.drop());

beforeEach(async () => {
  day += 1;
  const [slice] = await planSlices(db, dateOf(day), [{ stream: 'citas', account: 'a', clientId: '' }], 1);
  if (slice === undefined) throw new Error('no slice was planned');
  sliceId = slice.sliceId;
  first = { ...slice, runId: await newRun() };
  second = { ...slice, runId: await newRun() };
  // Neither run holds its lock, so each takes the slice from the other.
  expect(await claimSlice(db, { ...first, walk: 'full', again: false })).toBe(true);
});

function dateOf(number: number): RunDate {
  const date = parseRunDate(`2026-01-${String(number).padStart(2, '0')}`);
  if (date === undefined) throw new Error('no date');
  return date;
}

async function newRun(): Promise<number> {
  const { rows } = await database.pool.query(
    `insert into sync.run (account, batch_id, run_date) select 'a', count(*), '2026-01-01' from sync.run returning id`,
  );
  return rows[0].id;
}

const page = (claim: Claim, pageNo: number, nextCursor?: string) =>
  storePage(db, {
    ...claim,
    pageNo,
    cursor: pageNo === 1 ? '' : `c${pageNo}`,
    nextCursor,
    recordKey: undefined,
    listKey: 'citas',
    text: `{"citas":[{"id":${pageNo}}]}`,
    records: 1,
    hasNewTypes: true,
    requests: 1,
    replacedBytes: 0,
  });

const publishAs = (claim: Claim) =>
  publish(db, { ...claim, stream: 'citas', clientId: '', pages: 'chain', key: [['id']] });

test('neither stores a page nor publishes once another run has the slice', async () => {
  await page(first, 1, 'c2');
  expect(await claimSlice(db, { ...second, walk: 'full', again: false })).toBe(true);
  await expect(page(first, 2)).rejects.toBeInstanceOf(LostSliceError);
  await expect(publishAs(first)).rejects.toBeInstanceOf(LostSliceError);
  await page(second, 2);
  expect(await publishAs(second)).toMatchObject({ records: 2 });
});

test('does not end or count what another run works on', async () => {
  await claimSlice(db, { ...second, walk: 'full', again: false });
  await endSlice(db, first, { status: 'failed', error: 'late' });
  await countRequests(db, first, 99);
  const { rows } = await database.pool.query('select status, requests from sync.slice where id = $1', [
    sliceId,
  ]);
  expect(rows).toEqual([{ status: 'walking', requests: 0 }]);
});

test('does not forget the pages of a walk that another run goes on with', async () => {
  await claimSlice(db, { ...second, walk: 'full', again: false });
  await page(second, 1);
  await expect(dropPages(db, first)).rejects.toBeInstanceOf(LostSliceError);
  await expect(dropReread(db, first)).rejects.toBeInstanceOf(LostSliceError);
  expect(await publishAs(second)).toMatchObject({ records: 1 });
});

test('does not publish again what another run has published since', async () => {
  await claimSlice(db, { ...second, walk: 'full', again: false });
  await page(second, 1);
  await publishAs(second);
  await expect(publishAs(first)).rejects.toBeInstanceOf(LostSliceError);
});

test.each<[string, () => Promise<void>]>([
  ['no page at all', async () => undefined],
  ['no last page', () => page(first, 1, 'c2')],
  ['a gap', () => page(first, 1, 'c2').then(() => page(first, 3))],
  ['a beginning that is missing', () => page(first, 2)],
])('a walk with %s is not published, and vanishes nothing', async (_, store) => {
  await store();
  const current = `select count(*)::integer as records from snapshot.citas where until = 'infinity'`;
  const before = await database.pool.query(current);
  await expect(publishAs(first)).rejects.toThrow(/nothing was published/);
  expect((await database.pool.query(current)).rows).toEqual(before.rows);
});
