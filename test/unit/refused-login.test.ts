// A login that is refused for a minute ends the process with its reason, so that a supervisor starts it anew.
import type pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { runScheduler } from '../../src/jobs/schedule/scheduler.ts';
import { runWorker } from '../../src/jobs/worker/worker.ts';
import { accountsConfig } from '../support/config-fixtures.ts';

const reason =
  'The database refused the login for a minute: password authentication failed for user "o". Correct the password';
const never = new AbortController().signal;

function world() {
  let nowMs = 0;
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (delayMs) => {
      nowMs += delayMs;
      // A loop without an end fails here.
      if (nowMs > 600_000) throw new Error('it is still there after ten minutes');
    },
  };
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).event) });
  const refuse = async () => {
    throw Object.assign(new Error('password authentication failed for user "o"'), { code: '28P01' });
  };
  return { clock, lines, logger, refuse, passed: () => nowMs };
}

test('of a worker, which says it once', async () => {
  const { lines, refuse, passed, ...shared } = world();
  const pool = { connect: refuse, query: refuse, end: async () => undefined } as unknown as pg.Pool;
  const config = accountsConfig('http://127.0.0.1:9', ['one']);
  const work = () => {
    throw new Error('It takes no job');
  };
  const given = { openPool: () => pool, current: () => ({ config, streams: [] }), emit: () => undefined };
  const ended = runWorker({ ...given, ...shared, kinds: ['sync'], accountsAtOnce: 1, work }, never);
  await expect(ended).rejects.toThrow(reason);
  expect([passed(), lines]).toEqual([60_000, ['worker.lost']]);
});

test('of a scheduler, which says it once', async () => {
  const { lines, refuse, passed, ...shared } = world();
  const given = { jobs: [], timeZone: 'UTC', lead: refuse, histories: async () => new Map() };
  const [run, look] = [async () => 'done' as const, async () => 'later' as const];
  const idle = { run, look, settle: async () => undefined, onState: () => undefined };
  await expect(runScheduler({ ...given, ...shared, ...idle }, never)).rejects.toThrow(reason);
  expect([passed(), lines]).toEqual([60_000, ['scheduler.database_unreachable']]);
});
