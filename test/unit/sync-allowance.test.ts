// What a begun slice may take of the day beside what was planned.
import { expect, it } from 'vitest';
import { createAllowance } from '../../src/sync/run/allowance.ts';

it('spares requests for a second walk only where no planned, begun or later slice needs them', () => {
  const allowance = createAllowance(() => 20, 5);
  allowance.plan(1, 3);
  allowance.plan(2, 4);
  expect(allowance.begin(1, 3)).toBe(true);
  for (let page = 0; page < 3; page += 1) allowance.page(1);
  // 20, without 5 for later and 4 for the slice that is to begin.
  expect(allowance.spare(1, 12)).toBe(false);
  expect(allowance.spare(1, 11)).toBe(true);
  // They are reserved, and beside them there is room for what was planned.
  expect(allowance.spare(3, 1)).toBe(false);
  expect(allowance.begin(2, 4)).toBe(true);
});
