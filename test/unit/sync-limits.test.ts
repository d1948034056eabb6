import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit, createReservations } from '../../src/sync/run/limits.ts';

/** Something that another part of the test ends. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('the concurrency limit', () => {
  it('begin the next walk as soon as one slice publishes, and publish two at a time', async () => {
    const limit = createConcurrencyLimit(1);
    const log: string[] = [];
    const publishing = gate();
    for (const name of ['a', 'b', 'c', 'd']) {
      limit.enter(async (inTurn) => {
        log.push(`walk ${name}`);
        await inTurn(async () => {
          log.push(`publish ${name}`);
          await publishing.opened;
        });
        log.push(`end ${name}`);
      });
    }
    await tick();
    await tick();
    // The third waits for its turn to publish, and keeps its place until then.
    expect(log).toEqual(['walk a', 'publish a', 'walk b', 'publish b', 'walk c']);
    publishing.open();
    await limit.onIdle();
    expect(log.filter((line) => line.startsWith('end'))).toHaveLength(4);
  });

  it('wait for work that has begun, and begin none after being cleared', async () => {
    const limit = createConcurrencyLimit(1);
    const first = gate();
    const log: string[] = [];
    limit.enter(async () => {
      log.push('begun');
      await first.opened;
      log.push('ended');
    });
    limit.enter(async () => void log.push('never'));
    await tick();
    limit.clear();
    first.open();
    await limit.onIdle();
    expect(log).toEqual(['begun', 'ended']);
  });
});

it('spares requests for a second walk only where no planned, begun or later slice needs them', () => {
  const reservations = createReservations(() => 20, 5);
  reservations.plan(1, 3);
  reservations.plan(2, 4);
  expect(reservations.begin(1, 3)).toBe(true);
  for (let page = 0; page < 3; page += 1) reservations.page(1);
  // 20, without 5 for later and 4 for the slice that is to begin.
  expect(reservations.spare(1, 12)).toBe(false);
  expect(reservations.spare(1, 11)).toBe(true);
  // They are reserved, and beside them there is room for what was planned.
  expect(reservations.spare(3, 1)).toBe(false);
  expect(reservations.begin(2, 4)).toBe(true);
});
