import { expect, test } from 'vitest';
import { untilNoted } from '../../../src/writes/send.ts';

let nowMs = 0;
const clock = {
  now: () => nowMs,
  sleep: async (ms: number) => {
    nowMs += ms;
  },
};
const failing = (code: string, times: number) => {
  let calls = 0;
  return {
    calls: () => calls,
    work: async () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error('no'), { code });
    },
  };
};

test('what became of a write is noted when the database is back', async () => {
  // admin_shutdown
  const { work, calls } = failing('57P01', 3);
  await untilNoted(work, clock);
  expect(calls()).toBe(4);
});

test('a database that stays away is an error in the end', async () => {
  const { work, calls } = failing('ECONNREFUSED', 100);
  await expect(untilNoted(work, clock)).rejects.toThrow('no');
  expect(calls()).toBeGreaterThan(5);
  expect(calls()).toBeLessThan(12);
});

test('what no wait helps against is an error at once', async () => {
  const { work, calls } = failing('42P01', 1);
  await expect(untilNoted(work, clock)).rejects.toThrow('no');
  expect(calls()).toBe(1);
});
