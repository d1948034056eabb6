// Dates that streams lack for ever, once everything is fine again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { readLostDates } from '../../src/status/missing-dates.ts';
import { readStatusFacts } from '../../src/status/read-status.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}`;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});
afterAll(() => database?.drop());

async function publish(stream: string, clientId: string, dates: readonly number[]): Promise<void> {
  for (const date of dates)
    await publishRecords(db, {
      stream,
      account: 'north',
      clientId,
      runDate: day(date),
      records: [{ id: 'x', n: date }],
    });
}

const note = (status: string, stream: string, date: number) =>
  database.pool.query(
    `insert into sync.slice (stream, account, client_id, run_date, status) values ($1, 'north', 'a', $2, $3)`,
    [stream, day(date), status],
  );

async function lost(today: number) {
  const config = accountsConfig('http://127.0.0.1:1', ['north']);
  const input = { config, streams: resolveStreams(config), deadlineHours: () => undefined };
  return (await readStatusFacts(db, input, day(today))).lost;
}

test('are those of states from their first date to yesterday, but for those without data', async () => {
  // An archive brings what it missed; a client that came later lacks nothing before.
  await publish('visibility_history', 'a', [1, 9]);
  await publish('sources', 'b', [8, 9]);
  await publish('sources', 'a', [1, 2, 4, 5, 7, 9]);
  await note('failed', 'sources', 3);
  await note('unavailable', 'sources', 6);
  await publish('demand', 'a', [7, 8]);
  expect(await lost(8)).toEqual([{ account: 'north', dates: [day(3)], streams: ['sources'] }]);
  expect(await lost(9)).toEqual([{ account: 'north', dates: [day(3), day(8)], streams: ['sources'] }]);
  expect(await lost(10)).toEqual([
    { account: 'north', dates: [day(3), day(8), day(9)], streams: ['demand', 'sources'] },
  ]);
});

test('are none of a client that left', async () => {
  await database.pool.query(`update sync.slice set walk = 'left' where stream = 'demand' and run_date = $1`, [
    day(8),
  ]);
  expect(await lost(10)).toEqual([{ account: 'north', dates: [day(3), day(8)], streams: ['sources'] }]);
});

test('are those of the period and client of a page, for a role that reads bi alone', async () => {
  const reader = await openReader({ readerUrl: undefined, warehouse: database.pool });
  expect(reader.unbound).toBeUndefined();
  const question = { accounts: ['north'], states: ['demand', 'sources'], today: day(10) };
  const lostIn = async (from: number, to: number, clientId = '') =>
    (
      await readLostDates(createDatabase(reader.pool), {
        ...question,
        clientId,
        period: { from: day(from), to: day(to) },
      })
    ).flatMap(({ dates }) => dates);
  expect(await lostIn(1, 30)).toEqual([day(3), day(8)]);
  expect(await lostIn(4, 30)).toEqual([day(8)]);
  expect(await lostIn(1, 7)).toEqual([day(3)]);
  expect(await lostIn(1, 30, 'b')).toEqual([]);
  expect(await lostIn(1, 30, 'a')).toEqual([day(3), day(8)]);
  await reader.close();
});

test('are none while a client was away that came back', async () => {
  await publish('demand', 'a', [11, 13]);
  const question = { accounts: ['north'], states: ['demand'], today: day(14) };
  expect(await readLostDates(db, question)).toEqual([
    { account: 'north', dates: [day(12)], streams: ['demand'] },
  ]);
});
