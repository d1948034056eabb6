// Archives refreshed incrementally: what is published must be what a full refresh would have published, wherever
// changes stay where the full refreshes showed them, and a change beyond must come to light.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunLimits } from '../../src/config/config.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { type ArchiveRecord, type ArchiveServer, startArchiveServer } from '../support/archive-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

const database = useDatabase();
let server: ArchiveServer;
const firstDate = '2026-03-01' as RunDate;
let today: RunDate;

const pageSize = 5;
/** Every archive is refreshed incrementally that may be. */
const short = { fullRefreshPercent: 0, fullRefreshDays: 30 };

beforeAll(async () => {
  server = await startArchiveServer(pageSize);
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  await truncatePublished(database.pool);
  server.archives.clear();
  server.envelope = () => ({});
  server.failsFrom = undefined;
  server.archives.set('triggers', recordsFrom(1, 40));
  today = firstDate;
});

/** Newest first, as an archive is. */
function recordsFrom(first: number, last: number): ArchiveRecord[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({ id: last - index, valor: 0 }));
}

const archive = () => server.archives.get('triggers') ?? [];

function grow(count: number): void {
  const list = archive();
  const newest = Number(list[0]?.id ?? 0);
  server.archives.set('triggers', [...recordsFrom(newest + 1, newest + count), ...list]);
}

/** The next run date. */
async function nextDay(more: { limits?: Partial<RunLimits>; walk?: 'full'; again?: boolean } = {}) {
  if (!more.again) today = addDays(today, 1);
  server.asked = [];
  const of = { pool: database.pool, url: server.url, runDate: today, streams: ['triggers'] };
  return await syncOnce({ ...of, ...more, limits: { ...short, ...more.limits } });
}

/** The walks of the next run dates. */
async function walks(days: number, limits: Partial<RunLimits> = {}): Promise<string[]> {
  const kinds: string[] = [];
  for (let day = 0; day < days; day += 1) {
    await nextDay({ limits });
    kinds.push((await slice()).walk);
  }
  return kinds;
}

/** Days until incremental refreshes may begin: the first walk, and two that compare. */
async function earnTrust(): Promise<void> {
  for (let day = 0; day < 3; day += 1) {
    grow(1);
    await nextDay();
  }
}

async function published(date: string): Promise<ArchiveRecord[]> {
  const rows = await database.rows<{ payload: ArchiveRecord }>(
    `select payload from snapshot.record
     where stream = 'triggers' and run_date <= $1 and until > $1 order by (payload ->> 'id')::integer desc`,
    date,
  );
  return rows.map(({ payload }) => payload);
}

async function slice(): Promise<{ walk: string; status: string }> {
  const [row] = await database.rows('select * from sync.slice where run_date = $1', today);
  return row as { walk: string; status: string };
}

describe('an archive whose changes stay on the first pages', () => {
  it('is refreshed in full until two walks have shown that, then incrementally, the rest carried forward', async () => {
    await earnTrust();
    expect(server.asked).toHaveLength(9);
    grow(1);
    await nextDay();
    expect(server.asked).toEqual(['triggers 1', 'triggers 2']);
    expect(await slice()).toMatchObject({
      ...{
        status: 'complete',
        walk: 'incremental',
        pages: 2,
        pages_saved: 7,
        full_run_date: addDays(today, -1),
      },
      ...{ records: 44, inserted: 1, changed: 0, vanished: 0, unchanged: 43 },
    });
    expect(await published(today)).toEqual(archive());
  });

  it('is published as a full refresh would, whatever grows or changes within the depth', async () => {
    const day = fc.record({ grown: fc.nat(4), changed: fc.uniqueArray(fc.nat(4), { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 3, maxLength: 6 }), async (days) => {
        await truncatePublished(database.pool);
        server.archives.set('triggers', recordsFrom(1, 40));
        today = firstDate;
        await earnTrust();
        const truth = new Map<string, ArchiveRecord[]>();
        for (const [index, { grown, changed }] of days.entries()) {
          grow(grown);
          const list = archive().map((record, at) =>
            changed.includes(at) ? { ...record, valor: `day ${index}` } : record,
          );
          server.archives.set('triggers', list);
          await nextDay();
          expect(await slice()).toMatchObject({ walk: 'incremental', status: 'complete' });
          truth.set(today, list);
        }
        for (const [date, list] of truth) expect(await published(date)).toEqual(list);
      }),
      { numRuns: 2 },
    );
  });

  it('is walked on while pages hold something new or changed', async () => {
    await earnTrust();
    grow(12);
    await nextDay();
    expect(server.asked).toHaveLength(4);
    expect(await published(today)).toEqual(archive());
    const changed = archive().map((record, at) =>
      at % 5 === 4 && at < 20 ? { ...record, valor: 1 } : record,
    );
    server.archives.set('triggers', changed);
    await nextDay();
    expect(server.asked).toHaveLength(5);
    expect(await slice()).toMatchObject({ walk: 'incremental', changed: 4 });
    expect(await published(today)).toEqual(archive());
  });

  it('is refreshed in full when a run date is published again', async () => {
    await earnTrust();
    await nextDay();
    expect((await slice()).walk).toBe('incremental');
    server.archives.set('triggers', archive().slice(0, -1));
    await nextDay({ again: true });
    expect(await slice()).toMatchObject({ walk: 'full', vanished: 1 });
    expect(await published(today)).toEqual(archive());
  });

  it('goes on after a stop where it was, and asks for no page twice', async () => {
    await earnTrust();
    grow(12);
    server.failsFrom = 3;
    await nextDay();
    expect((await slice()).status).toBe('failed');
    server.failsFrom = undefined;
    server.asked = [];
    today = addDays(today, -1);
    await nextDay();
    expect(server.asked).toEqual(['triggers 3', 'triggers 4']);
    expect((await slice()).walk).toBe('incremental');
    expect(await published(today)).toEqual(archive());
  });

  it('is published without a request when only the publish was missing', async () => {
    await earnTrust();
    grow(1);
    await database.pool.query(
      `alter table snapshot.record add constraint refused check (run_date <= '${today}') not valid`,
    );
    expect(await nextDay()).toMatchObject({ slices: { failed: 1 } });
    await database.pool.query('alter table snapshot.record drop constraint refused');
    today = addDays(today, -1);
    await nextDay();
    expect(server.asked).toEqual([]);
    expect(await slice()).toMatchObject({ walk: 'incremental', status: 'complete', inserted: 1 });
  });

  it('keeps what only the pages of the tail say in the envelope', async () => {
    server.envelope = (_, pageNo) => (pageNo === 1 ? { total: today } : { [`hoja${pageNo}`]: pageNo });
    await earnTrust();
    await nextDay();
    const envelopes = `select payload from snapshot.record where stream = 'envelope' and until = 'infinity'`;
    expect((await slice()).walk).toBe('incremental');
    expect(await database.rows(envelopes)).toEqual([
      { payload: expect.objectContaining({ total: today, hoja2: 2, hoja9: 9 }) },
    ]);
  });
});

it('a page that repeats a key cannot be refreshed incrementally: the walk goes on to the end', async () => {
  await earnTrust();
  const list = archive();
  server.archives.set('triggers', [...list.slice(0, 2), ...list.slice(1, 2), ...list.slice(2)]);
  await nextDay();
  expect(await slice()).toMatchObject({ walk: 'full', status: 'complete', key_conflicts: 2 });
  await nextDay();
  expect((await slice()).walk).toBe('full');
});

it('finds a change beyond the first pages by the next full refresh, and then trusts the archive less', async () => {
  await earnTrust();
  const list = archive();
  server.archives.set('triggers', [...list.slice(0, -1), { id: list.at(-1)?.id ?? 0, valor: 'late' }]);
  await nextDay();
  expect((await slice()).walk).toBe('incremental');
  expect((await published(today)).at(-1)).toMatchObject({ valor: 0 });
  const found = await nextDay({ walk: 'full' });
  expect(found.late).toBe(1);
  expect(await slice()).toMatchObject({ walk: 'full', changed: 1, depth: 9, late: 1 });
  expect(await published(today)).toEqual(archive());
  // Twice as many clean full refreshes as before it.
  expect(await walks(5)).toEqual(['full', 'full', 'full', 'full', 'incremental']);
});
