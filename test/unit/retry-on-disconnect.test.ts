import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { WarehouseError } from '../../src/core/errors.ts';
import { createDatabaseRetry } from '../../src/db/retry-on-disconnect.ts';
import { codeOf } from '../../src/db/sqlstate.ts';

function world(patienceMs: number, busyMs = patienceMs, expectWrites?: () => Promise<void>) {
  let nowMs = 0;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (delayMs) => {
      pauses.push(delayMs);
      nowMs += delayMs;
    },
  };
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).event) });
  const outages: (number | undefined)[] = [];
  const onOutage = (since: Date | undefined) => outages.push(since?.getTime());
  const retry = createDatabaseRetry({
    ...{ clock, logger, onOutage, random: () => 0.5, ...(expectWrites && { expectWrites }) },
    patienceMs: (error) => (codeOf(error) === '53300' ? busyMs : patienceMs),
  });
  const signal = new AbortController();
  return { retry, pauses, lines, outages, signal, pass: (ms: number) => (nowMs += ms) };
}

const lost = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

test('waits with growing pauses and tells an outage once', async () => {
  const { retry, pauses, lines, outages, signal } = world(60_000);
  const work = vi.fn(async () => 'done');
  for (let failures = 0; failures < 6; failures += 1) work.mockRejectedValueOnce(lost());
  expect(await retry(work, signal.signal)).toBe('done');
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
  expect(lines).toEqual(['database.lost', 'database.back']);
  expect(outages).toEqual([0, undefined]);
});

test('a server without a free connection is busy and not lost, and may be waited for where a lost one is not', async () => {
  const { pauses, lines, signal, retry } = world(0, 60_000);
  const busy = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  const work = vi
    .fn(async () => 'done')
    .mockRejectedValueOnce(busy)
    .mockRejectedValueOnce(busy);
  expect(await retry(work, signal.signal)).toBe('done');
  expect(pauses).toEqual([500, 1000]);
  expect(lines).toEqual(['database.busy', 'database.back']);
});

test('a server that only reads is told once, by its name, until a write is taken, whatever it answers to readers', async () => {
  const refused = Object.assign(new Error('cannot execute INSERT'), { code: '25006' });
  let refusals = 5;
  const write = async () => (refusals > 0 ? Promise.reject(refused) : 'written');
  const expectWrites = vi.fn(async () => {
    refusals -= 1;
    await write();
  });
  const { retry, lines, signal } = world(60_000, 60_000, expectWrites);
  const written = Promise.all([retry(write, signal.signal), retry(write, signal.signal)]);
  expect(await retry(async () => 'read', signal.signal)).toBe('read');
  expect(await written).toEqual(['written', 'written']);
  expect(lines).toEqual(['database.read_only', 'database.back']);
  expect(expectWrites).toHaveBeenCalledTimes(5);
});

test('gives up when the time is over, counted from the last progress', async () => {
  const { retry, pass, signal } = world(30_000);
  let tries = 0;
  const work = async (progress: () => void) => {
    tries += 1;
    if (tries < 20) progress();
    pass(1_000);
    throw lost();
  };
  const failure = await retry(work, signal.signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WarehouseError);
  expect(String(failure)).toContain('was unavailable for 30 s: gone');
  expect(tries).toBeGreaterThan(20);
});

test('other errors are thrown at once; no time means no second try', async () => {
  const { retry, pauses, signal } = world(60_000);
  const broken = Object.assign(new Error('syntax'), { code: '42601' });
  await expect(retry(() => Promise.reject(broken), signal.signal)).rejects.toBe(broken);
  await expect(world(0).retry(() => Promise.reject(lost()), signal.signal)).rejects.toThrow('0 s');
  expect(pauses).toEqual([]);
});

test('a stop ends the waiting', async () => {
  const { retry, signal } = world(60_000);
  const work = () => {
    signal.abort();
    return Promise.reject(lost());
  };
  await expect(retry(work, signal.signal)).rejects.toThrow(/^Stopped while the database/);
});
