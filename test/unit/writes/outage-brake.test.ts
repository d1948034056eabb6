import { describe, expect, it } from 'vitest';
import { createOutageBrake, type Delivered } from '../../../src/writes/send.ts';

function isOnAfter(kinds: readonly Delivered['kind'][], endedUnknown = false): boolean {
  const brake = createOutageBrake(endedUnknown);
  for (const kind of kinds) brake.saw(kind);
  return brake.isOn;
}

describe('the brake of an outage', () => {
  it('is on when the outcome of two writes in a row is unknown', () => {
    expect(isOnAfter(['unknown'])).toBe(false);
    expect(isOnAfter(['unknown', 'unknown'])).toBe(true);
    expect(isOnAfter(['accepted', 'unknown', 'unknown'])).toBe(true);
  });

  it.each(['accepted', 'refused'] as const)('counts anew when one is %s', (kind) => {
    expect(isOnAfter(['unknown', kind, 'unknown'])).toBe(false);
  });

  it('learns nothing of one that is deferred', () => {
    expect(isOnAfter(['unknown', 'deferred', 'unknown'])).toBe(true);
  });

  it('counts the last one of before, and lets one go all the same', () => {
    expect(isOnAfter([], true)).toBe(false);
    expect(isOnAfter(['unknown'], true)).toBe(true);
    expect(isOnAfter(['accepted', 'unknown'], true)).toBe(false);
  });
});
