import { expect, test } from 'vitest';
import { batchLines } from '../../src/cli/commands/jobs-command.ts';

const now = new Date('2026-11-22T21:09:00Z');
const batch = {
  id: 4,
  job: 'daily-snapshot',
  started_at: new Date('2026-11-22T21:00:00Z'),
  due_at: null,
  accounts: 2,
  waiting: 2,
  running: 0,
  deferred: 0,
  done: 0,
  failed: 0,
  slowest: null,
  slowest_since: null,
  oldest_due: null,
};

test('below its batch stands with which accounts workers died, how often, and until when they wait', () => {
  const deaths = [
    { account: 'north', deaths: 3, next_attempt_at: '2026-11-22T21:13:30Z' },
    { account: 'south', deaths: 1, next_attempt_at: '2026-11-22T21:08:00Z' },
  ];
  expect(batchLines([{ ...batch, deaths }], { timeZone: 'UTC', now, width: 200 }).slice(2)).toEqual([
    'Batch 4, north: its worker died 3 times in a row. It begins again at 22 Nov 21:13 (UTC)',
    'Batch 4, south: its worker died once',
  ]);
});

test('60 columns hold a batch on one line', () => {
  expect(batchLines([{ ...batch, deaths: [] }], { timeZone: 'UTC', now, width: 60 }).slice(0, 2)).toEqual([
    'batch  job             waiting  running  deferred  failed',
    '    4  daily-snapshot        2        0         0       0',
  ]);
});
