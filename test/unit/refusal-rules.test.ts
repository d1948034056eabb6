// When an answer that contradicts what is stored is believed.
import { describe, expect, it } from 'vitest';
import { consequenceOf, isLifted, type RefusalFacts } from '../../src/validation/rules.ts';

const noLook = { isSecondLook: false, wasUnavailable: false, isClients: false };
const first: RefusalFacts = { hadData: true, datesBefore: 0, ...noLook };

const allRules = ['no_data', 'unusual', 'other_client', 'refused', 'client_keys'] as const;
const quiet = { end: 'unavailable', isNews: false };
const withoutData = ['no_data', 'other_client', 'refused'] as const;

describe('an answer that fails its validation', () => {
  it.each(allRules)(
    'by rule %s is asked for again in the same run, and fails the slice the second time',
    (rule) => {
      expect(consequenceOf(rule, first)).toBe('look again');
      expect(consequenceOf(rule, { ...first, isSecondLook: true })).toBe('fail');
    },
  );

  it.each(['loop', 'page_limit', 'new_keys'] as const)(
    'by rule %s fails at once: a second walk costs as much',
    (rule) => {
      expect(consequenceOf(rule, first)).toBe('fail');
      expect(consequenceOf(rule, { ...first, hadData: false })).toBe('fail');
      expect(consequenceOf(rule, { ...first, datesBefore: 9 })).toBe('fail');
    },
  );

  it('by rule vanished waits for half an hour, but for the list of clients', () => {
    expect(consequenceOf('vanished', first)).toBe('wait');
    expect(consequenceOf('vanished', { ...first, isClients: true })).toBe('look again');
    expect(consequenceOf('vanished', { ...first, isClients: true, isSecondLook: true })).toBe('fail');
  });

  it.each(withoutData)(
    'by rule %s counts as no data on the third run date in a row, and is told once',
    (rule) => {
      expect(consequenceOf(rule, { ...first, datesBefore: 1, isSecondLook: true })).toBe('fail');
      expect(consequenceOf(rule, { ...first, datesBefore: 2 })).toEqual({ end: 'unavailable', isNews: true });
      expect(consequenceOf(rule, { ...first, datesBefore: 3 })).toEqual(quiet);
    },
  );

  it('counts as no data where there never was data: a status at once, a body after a second look', () => {
    const never = { ...first, hadData: false };
    expect(consequenceOf('refused', never)).toEqual(quiet);
    expect(consequenceOf('no_data', never)).toBe('look again');
    expect(consequenceOf('no_data', { ...never, isSecondLook: true })).toEqual(quiet);
  });

  it('with data of another client fails on the first run dates too, where there never was data', () => {
    const never = { ...first, hadData: false, wasUnavailable: true };
    expect(consequenceOf('other_client', never)).toBe('look again');
    expect(consequenceOf('other_client', { ...never, isSecondLook: true })).toBe('fail');
    const third = consequenceOf('other_client', { ...never, datesBefore: 2 });
    expect(third).toEqual({ end: 'unavailable', isNews: true });
  });

  it('is not asked for twice again where the run date before ended without data too', () => {
    const never = { ...first, hadData: false, wasUnavailable: true };
    expect(consequenceOf('no_data', never)).toEqual(quiet);
  });
});

describe('a rule that is lifted because the server says the same on several run dates', () => {
  it.each([
    ['unusual', 2],
    ['client_keys', 2],
    ['page_limit', 1],
  ] as const)('%s: after %i run dates before this one', (rule, dates) => {
    expect(isLifted(rule, dates - 1)).toBe(false);
    expect(isLifted(rule, dates)).toBe(true);
    expect(isLifted(rule, dates + 1)).toBe(true);
  });

  it.each(['no_data', 'other_client', 'refused', 'vanished', 'loop'] as const)('%s: never', (rule) => {
    expect(isLifted(rule, 99)).toBe(false);
  });
});
