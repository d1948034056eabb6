import { expect, test } from 'vitest';
import { workerLines } from '../../src/cli/commands/jobs-command.ts';

const worker = {
  id: 1,
  host: 'vm',
  pid: 71,
  version: '0.2.0',
  kinds: ['sync', 'report', 'backup'],
  accounts_at_once: 2,
  state: 'working',
  waits_for: null,
  started_at: new Date('2026-11-22T21:09:00Z'),
  accounts: ['agency-number-3', 'agency-number-5'],
  ended: 12,
} as const;

test('80 columns still say who is worked on: when a worker began and what it ended go first', () => {
  expect(workerLines([worker], { timeZone: 'UTC', width: 80 })).toEqual([
    'worker  host, pid  takes                 state    works on  accounts',
    '     1  vm 71      sync, report, backup  working  2 of 2    agency-number-3,',
    '                                                            agency-number-5',
  ]);
});
