import { beforeAll, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import type { Executor } from '../../src/db/database.ts';
import { ensureStreams } from '../../src/install/migrate.ts';
import { publish } from '../../src/publish/publish.ts';
import { storePage } from '../../src/store/pages/pages.ts';
import { forgetRefusedBut, noteRefused, readRefusedDates } from '../../src/store/scopes/details.ts';
import { claimSlice, planSlices } from '../../src/store/slices/slices.ts';
import { plainPage } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

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
