// Dates that streams lack for ever, once everything is fine again.
import { expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { readLostDates } from '../../src/status/missing-dates.ts';
import { readStatusFacts } from '../../src/status/read-status.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}`;

async function publish(stream: string, clientId: string, dates: readonly number[]): Promise<void> {
  for (const date of dates) {
    const slice = { stream, account: 'north', clientId, runDate: day(date) };
    await publishRecords(database.db, { ...slice, records: [{ id: 'x', n: date }] });
  }
}

const note = (status: string, stream: string, date: number) =>
  database.pool.query(
    `insert into sync.slice (stream, account, client_id, run_date, status) values ($1, 'north', 'a', $2, $3)`,
    [stream, day(date), status],
  );

async function lost(today: number) {
  const config = accountsConfig('http://127.0.0.1:1', ['north']);
  const input = { config, streams: resolveStreams(config), deadlineHours: () => undefined };
  return (await readStatusFacts(database.db, input, day(today))).lost;
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
  const db = createDatabase(reader.pool);
  for (const [from, to, clientId, expected] of [
    [1, 30, '', [3, 8]],
    [4, 30, '', [8]],
    [1, 7, '', [3]],
    [1, 30, 'b', []],
    [1, 30, 'a', [3, 8]],
  ] as const) {
    const period = { from: day(from), to: day(to) };
    const question = { accounts: ['north'], states: ['demand', 'sources'], today: day(10), clientId, period };
    const lost = await readLostDates(db, question);
    expect(lost.flatMap(({ dates }) => dates)).toEqual(expected.map(day));
  }
  await reader.close();
});

test('are none while a client was away that came back', async () => {
  await publish('demand', 'a', [11, 13]);
  const question = { accounts: ['north'], states: ['demand'], today: day(14) };
  expect(await readLostDates(database.db, question)).toEqual([
    { account: 'north', dates: [day(12)], streams: ['demand'] },
  ]);
});
