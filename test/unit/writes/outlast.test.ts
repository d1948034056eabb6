import { expect, test } from 'vitest';
import { outlast } from '../../../src/writes/outlast.ts';

const clock = { now: () => 0, sleep: async () => undefined };
const failing = (code: string, times: number) => {
  let calls = 0;
  return {
    calls: () => calls,
    work: async () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error('no'), { code });
      return 'noted';
    },
  };
};

test('what became of a write is noted when the database is back', async () => {
  // admin_shutdown
  const { work, calls } = failing('57P01', 3);
  expect(await outlast(work, clock)).toBe('noted');
  expect(calls()).toBe(4);
});

test('a database that stays away is an error in the end', async () => {
  const { work, calls } = failing('ECONNREFUSED', 100);
  await expect(outlast(work, clock)).rejects.toThrow('no');
  expect(calls()).toBe(8);
});

test('what no wait helps against is an error at once', async () => {
  const { work, calls } = failing('42P01', 1);
  await expect(outlast(work, clock)).rejects.toThrow('no');
  expect(calls()).toBe(1);
});
