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
  const { clock, lines, logger, refuse, passed } = world();
  const config = accountsConfig('http://127.0.0.1:9', ['one']);
  const ended = runWorker(
    {
      openPool: () => ({ connect: refuse, query: refuse, end: async () => undefined }) as unknown as pg.Pool,
      current: () => ({ config, streams: [] }),
      kinds: ['sync'],
      accountsAtOnce: 1,
      work: () => {
        throw new Error('It takes no job');
      },
      clock,
      logger,
      emit: () => undefined,
    },
    never,
  );
  await expect(ended).rejects.toThrow(reason);
  expect(passed()).toBe(60_000);
  expect(lines).toEqual(['worker.lost']);
});

test('of a scheduler, which says it once', async () => {
  const { clock, lines, logger, refuse, passed } = world();
  const ended = runScheduler(
    {
      jobs: [],
      timeZone: 'UTC',
      clock,
      logger,
      lead: refuse,
      histories: async () => new Map(),
      run: async () => 'done',
      settle: async () => undefined,
      look: async () => 'later',
      onState: () => undefined,
    },
    never,
  );
  await expect(ended).rejects.toThrow(reason);
  expect(passed()).toBe(60_000);
  expect(lines).toEqual(['scheduler.database_unreachable']);
});
