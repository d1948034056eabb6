// Publishing against a model so simple that it is right: a run date's snapshot is the last list that
// was published for it, or for the date before it that has one.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { type Published, publish } from '../../src/publish/publish.ts';
import { storePage } from '../../src/store/pages/pages.ts';
import { findRecordKey } from '../../src/store/pages/record-keys.ts';
import { claimSlice, planSlices } from '../../src/store/slices/slices.ts';
import { plainPage } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let run: number;

beforeAll(async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into sync.run (account, batch_id, run_date) values ('a', 1, '2026-01-01') returning id`,
  );
  run = rows[0]?.id ?? 0;
});

interface Step {
  /** Days since the step before; 0: the same run date again. */
  readonly days: number;
  readonly pages: readonly (readonly string[])[];
  readonly envelope: string | undefined;
}

const stream = 'prompts';
const firstDate = parseRunDate('2025-01-01') as RunDate;

const record = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('1', '2', '"1"', '"a"', '"A"'), fc.nat(2))
      .map(([id, v]) => `{"id":${id},"v":${v}}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('{"id":null}', '{"v":1}', '{"id":{"x":1}}', '{"id":"a"}', '{"v":1.0}'),
  },
  { weight: 1, arbitrary: fc.constantFrom('null', '1', '"a"', '[]', '[1]', '{}') },
);
const wellKept = fc
  .uniqueArray(fc.tuple(fc.nat(6), fc.nat(2)), { selector: ([id]) => id, maxLength: 6 })
  .map((records) => [records.map(([id, v]) => `{"id":${id},"v":${v}}`)]);
const awkward = fc.array(fc.array(record, { maxLength: 5 }), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.record({
  days: fc.constantFrom(0, 0, 1, 1, 3),
  pages: fc.oneof(wellKept, awkward),
  envelope: fc.option(fc.constantFrom('1', '2', '{"a":1}'), { nil: undefined }),
});

async function publishStep(account: string, runDate: RunDate, { pages, envelope }: Step): Promise<Published> {
  const [slice] = await planSlices(database.db, runDate, [{ stream, account, clientId: '' }], run);
  if (slice === undefined) throw new Error('no slice');
  const claim = { ...slice, runId: run };
  await claimSlice(database.db, { ...claim, walk: 'full', again: true });
  for (const [index, records] of pages.entries()) {
    const extra = envelope === undefined ? '' : `"total":${envelope},`;
    await storePage(database.db, {
      ...claim,
      ...plainPage,
      pageNo: index + 1,
      cursor: index === 0 ? '' : `c${index}`,
      nextCursor: index + 1 === pages.length ? undefined : `c${index + 1}`,
      listKey: 'preguntas',
      text: `{${extra}"preguntas":[${records.join(',')}],"paginacion":{}}`,
      records: records.length,
    });
  }
  const key = await findRecordKey(database.db, slice, { keys: [[['id']]], keysConfigured: true });
  return await publish(database.db, { ...claim, pages: 'chain', key: key ?? [] });
}

async function countsOfSlice(account: string, runDate: string) {
  const { rows } = await database.pool.query<
    Record<'records' | 'inserted' | 'changed' | 'vanished' | 'unchanged', number>
  >(
    `select records, inserted, changed, vanished, unchanged from sync.slice
     where account = $1 and run_date = $2 and stream = $3`,
    [account, runDate, stream],
  );
  return rows[0] ?? expect.fail();
}

async function snapshotAt(account: string, name: string, runDate: string): Promise<string[]> {
  return await database.lines(
    `select payload::text from snapshot.record
     where account = $1 and stream = $2 and run_date <= $3 and $3 < until order by payload::text collate "C"`,
    account,
    name,
    runDate,
  );
}

async function asStored(records: readonly string[]): Promise<string[]> {
  return await database.lines(
    `select payload::jsonb::text as payload from unnest($1::text[]) as payload order by payload::jsonb::text collate "C"`,
    records,
  );
}

async function overlaps(account: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select a.record_key, a.run_date, b.run_date from snapshot.record a
     join snapshot.record b using (stream, account, client_id, record_key)
     where account = $1 and a.run_date < b.run_date and a.until > b.run_date`,
    [account],
  );
  return rows;
}

test('any sequence of publishes, dates repeated or not, leaves the last list of every date', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      number += 1;
      const account = `model-${number}`;
      const model = new Map<RunDate, Step>();
      let runDate = firstDate;
      for (const one of steps) {
        runDate = addDays(runDate, one.days);
        const before =
          [...model]
            .filter(([date]) => date < runDate)
            .at(-1)?.[1]
            .pages.flat() ?? [];
        const last = [...model].at(-1)?.[1].pages.flat() ?? [];
        model.set(runDate, one);
        const found = await publishStep(account, runDate, one);
        const records = one.pages.flat();
        // The run counts against what was published last, the slice against the run date before.
        for (const [counts, earlier] of [
          [found, last],
          [await countsOfSlice(account, runDate), before],
        ] as const) {
          expect(counts.records).toBe(records.length);
          expect(counts.inserted + counts.changed + counts.unchanged).toBe(records.length);
          expect(counts.vanished + counts.changed + counts.unchanged).toBe(earlier.length);
        }
      }
      for (const [date, { pages, envelope }] of model) {
        expect(await snapshotAt(account, stream, date)).toEqual(await asStored(pages.flat()));
        const total = envelope === undefined ? [] : [`{"total":${envelope}}`];
        expect(await snapshotAt(account, 'envelope', date)).toEqual(await asStored(total));
      }
      expect(await overlaps(account)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('an older run date than the newest published one is refused, and nothing changes', async () => {
  const account = 'older';
  const one: Step = { days: 0, pages: [['{"id":1}']], envelope: undefined };
  await publishStep(account, addDays(firstDate, 5), one);
  await expect(publishStep(account, firstDate, { ...one, pages: [[]] })).rejects.toThrow('2025-01-06');
  expect(await snapshotAt(account, stream, '2025-01-06')).toEqual(['{"id": 1}']);
});
