// A run that was taken for dead: another one has its slice, and what it still brings must not be stored.
import { beforeEach, expect, test } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
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
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let day = 0;
let sliceId: number;
let first: PlannedSlice;
let second: PlannedSlice;

beforeEach(async () => {
  day += 1;
  const [slice] = await planSlices(
    database.db,
    dateOf(day),
    [{ stream: 'citas', account: 'a', clientId: '' }],
    1,
  );
  if (slice === undefined) throw new Error('no slice was planned');
  sliceId = slice.sliceId;
  first = { ...slice, runId: await newRun() };
  second = { ...slice, runId: await newRun() };
  // Neither run holds its lock, so each takes the slice from the other.
  expect(await claimSlice(database.db, { ...first, walk: 'full', again: false })).toBe(true);
});

const dateOf = (number: number) => `2026-01-${String(number).padStart(2, '0')}` as RunDate;

const newRun = async () =>
  Number(
    (
      await database.lines(
        `insert into sync.run (account, batch_id, run_date) select 'a', count(*), '2026-01-01' from sync.run returning id`,
      )
    )[0],
  );

const page = (claim: Claim, pageNo: number, nextCursor?: string) =>
  storePage(database.db, {
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
  publish(database.db, { ...claim, stream: 'citas', clientId: '', pages: 'chain', key: [['id']] });

test('neither stores a page nor publishes once another run has the slice', async () => {
  await page(first, 1, 'c2');
  expect(await claimSlice(database.db, { ...second, walk: 'full', again: false })).toBe(true);
  await expect(page(first, 2)).rejects.toBeInstanceOf(LostSliceError);
  await expect(publishAs(first)).rejects.toBeInstanceOf(LostSliceError);
  await page(second, 2);
  expect(await publishAs(second)).toMatchObject({ records: 2 });
});

test('does not end or count what another run works on', async () => {
  await claimSlice(database.db, { ...second, walk: 'full', again: false });
  await endSlice(database.db, first, { status: 'failed', error: 'late' });
  await countRequests(database.db, first, 99);
  const kept = 'select status, requests from sync.slice where id = $1';
  expect(await database.lines(kept, sliceId)).toEqual(['walking 0']);
});

test('does not forget the pages of a walk that another run goes on with', async () => {
  await claimSlice(database.db, { ...second, walk: 'full', again: false });
  await page(second, 1);
  await expect(dropPages(database.db, first)).rejects.toBeInstanceOf(LostSliceError);
  await expect(dropReread(database.db, first)).rejects.toBeInstanceOf(LostSliceError);
  expect(await publishAs(second)).toMatchObject({ records: 1 });
});

test('does not publish again what another run has published since', async () => {
  await claimSlice(database.db, { ...second, walk: 'full', again: false });
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
  const current = `select count(*) from snapshot.citas where until = 'infinity'`;
  const before = await database.lines(current);
  await expect(publishAs(first)).rejects.toThrow(/nothing was published/);
  expect(await database.lines(current)).toEqual(before);
});
