// Processes on one key, each with a gate of its own and one ledger between them: killed, started again, side
// by side, they never ask more than one alone may.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { childProgram } from '../support/child-program.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let server: LoopbackServer;
let arrivals = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await startLoopbackServer((_, response) => {
    arrivals += 1;
    setTimeout(() => response.end('ok'), 5);
  });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await database.pool.query(
    'truncate sync.budget, sync.budget_hour, sync.budget_minute, sync.budget_account',
  );
  arrivals = 0;
});
afterAll(async () => {
  await server.close();
});

function start(perMinute: number, perDay: number): ChildProcess {
  const args = [childProgram('gate-child-main'), database.url, server.url, String(perMinute), String(perDay)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Kills two processes that ask, once so many requests have arrived. */
async function killAt(arrived: number, perMinute: number, perDay: number): Promise<void> {
  const both = [start(perMinute, perDay), start(perMinute, perDay)];
  while (arrivals < arrived) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const child of both) child.kill('SIGKILL');
  await Promise.all(both.map((child) => once(child, 'exit')));
}

const used = async () => Number((await database.lines('select coalesce(sum(used), 0) from sync.budget'))[0]);

it('spends a day exactly, although processes are killed in the middle of their requests', async () => {
  const perDay = 400;
  for (const killedAt of [60, 130, 200]) await killAt(killedAt, 1_000_000, perDay);
  const last = start(1_000_000, perDay);
  const [output] = (await once(last.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(output.toString()).toBe('day\n');
  expect(await used()).toBe(perDay);
  expect(arrivals).toBeLessThanOrEqual(perDay);
  // Grants of a process that was killed before it asked are lost: as many as it had in flight.
  expect(arrivals).toBeGreaterThanOrEqual(perDay - 3 * 2 * 5);
});

it('keeps to the minute over kills and restarts', async () => {
  const perMinute = 40;
  for (const killedAt of [10, 25]) await killAt(killedAt, perMinute, 5_000);
  start(perMinute, 5_000);
  while ((await used()) < perMinute) await new Promise((resolve) => setTimeout(resolve, 20));
  // Time enough for one more, if it were granted.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await used()).toBe(perMinute);
  expect(arrivals).toBeLessThanOrEqual(perMinute);
});
