import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPulse } from '../../src/jobs/schedule/http-server.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

let clock: VirtualClock;
const stop = new AbortController();
beforeEach(() => {
  clock = createVirtualClock(0);
});
afterEach(() => clock.restore());

const never = () => new Promise<void>(() => undefined);

test('is down until the database has answered once', async () => {
  const pulse = createPulse({ clock, ask: () => Promise.resolve() });
  expect(pulse.isUp()).toBe(false);
  void pulse.beat(stop.signal);
  await clock.runUntil(1);
  expect(pulse.isUp()).toBe(true);
});

test.each([
  ['refuses', () => Promise.reject(new Error('refused'))],
  ['hangs', never],
])('a database that %s is known within ten seconds, and so is its return', async (_, lost) => {
  let ask: () => Promise<void> = () => Promise.resolve();
  const beats: boolean[] = [];
  const pulse = createPulse({ clock, ask: () => ask(), onBeat: (isUp) => beats.push(isUp) });
  void pulse.beat(stop.signal);
  await clock.runUntil(100_000);
  expect([pulse.isUp(), new Set(beats)]).toEqual([true, new Set([true])]);
  let comeBack = () => {};
  ask = () => Promise.race([lost(), new Promise<void>((resolve) => (comeBack = resolve))]);
  await clock.runUntil(109_999);
  expect(pulse.isUp()).toBe(false);
  ask = () => Promise.resolve();
  comeBack();
  await clock.runUntil(119_999);
  expect(pulse.isUp()).toBe(true);
});

test('ends at the stop, also while a question hangs', async () => {
  const end = new AbortController();
  const beating = createPulse({ clock, ask: never }).beat(end.signal);
  await clock.runUntil(1_000);
  end.abort();
  await clock.runUntil(1_001);
  await beating;
});
