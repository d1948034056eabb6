import { afterEach, describe, expect, it, vi } from 'vitest';
import { endWithin, systemClock } from '../../src/core/clock.ts';

afterEach(() => vi.useRealTimers());

describe('endWithin', () => {
  it('ends at the limit when the work does not', async () => {
    vi.useFakeTimers();
    const isOver = vi.fn();
    const over = endWithin(systemClock, new Promise(() => undefined), 7_000).then(isOver);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(isOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await over;
  });
});
