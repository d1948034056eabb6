// What is noted of a write, when writes stop, and what of an answer is kept.
import { describe, expect, it, test } from 'vitest';
import { createOutageBrake, type Delivered, untilNoted, withoutAddresses } from '../../../src/writes/send.ts';

let nowMs = 0;
const clock = {
  now: () => nowMs,
  sleep: async (ms: number) => {
    nowMs += ms;
  },
};

/** Fails so many times, and counts. */
async function noted(code: string, times: number) {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error('no'), { code });
  };
  const end = await untilNoted(work, clock).catch((error: Error) => error.message);
  return { calls, end };
}

test('what became of a write is noted when the database is back, and an error where it stays away', async () => {
  // admin_shutdown
  expect(await noted('57P01', 3)).toEqual({ calls: 4, end: undefined });
  const away = await noted('ECONNREFUSED', 100);
  expect(away.end).toBe('no');
  expect(away.calls).toBeGreaterThan(5);
  expect(away.calls).toBeLessThan(12);
});

test('what no wait helps against is an error at once', async () => {
  expect(await noted('42P01', 1)).toEqual({ calls: 1, end: 'no' });
});

function isOnAfter(kinds: readonly Delivered['kind'][], endedUnknown = false): boolean {
  const brake = createOutageBrake(endedUnknown);
  for (const kind of kinds) brake.saw(kind);
  return brake.isOn;
}

describe('the brake of an outage', () => {
  it.each([
    ['unknown', false],
    ['unknown unknown', true],
    ['accepted unknown unknown', true],
    ['unknown accepted unknown', false],
    ['unknown refused unknown', false],
    // One that is deferred tells nothing.
    ['unknown deferred unknown', true],
  ])('is on when the outcome of two writes in a row is unknown: %s', (kinds, isOn) => {
    expect(isOnAfter(kinds.split(' ') as Delivered['kind'][])).toBe(isOn);
  });

  it('counts the last one of before, and lets one go all the same', () => {
    expect([isOnAfter([], true), isOnAfter(['unknown'], true)]).toEqual([false, true]);
    expect(isOnAfter(['accepted', 'unknown'], true)).toBe(false);
  });
});

test.each([
  ['{"linea":"192.0.2.7 - - [03/Apr/2026"}', '{"linea":"[address] - - [03/Apr/2026"}'],
  ['from 2001:db8:1:2::3, line 4', 'from [address], line 4'],
  ['[2001:db8::1]:443 and 192.0.2.7:80', '[[address]]:443 and [address]:80'],
  ['::ffff:192.0.2.77', '[address]'],
  ['::1 at 10:00:00', '[address] at 10:00:00'],
])('an address in an answer is taken out: %s', (text, expected) => {
  expect(withoutAddresses(text)).toBe(expected);
});

test.each(['2026-04-03T10:00:00Z', 'version 1.2.3', '{"a":{"b":[1,2]}}', 'std::vector', '999.1.1.1'])(
  'what is none stays: %s',
  (text) => {
    expect(withoutAddresses(text)).toBe(text);
  },
);
