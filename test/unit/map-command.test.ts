import { expect, test } from 'vitest';
import { percent } from '../../src/cli/commands/map-command.ts';

test('shares are whole percent, and 0 and 100 only where it is so', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
});
