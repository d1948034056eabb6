// When an answer that contradicts what is stored is believed, and a walk that lacks published records.
import { describe, expect, it } from 'vitest';
import { mostLacking } from '../../src/store/scopes/scope-history.ts';
import { consequenceOf, isLifted, type RefusalFacts } from '../../src/validation/rules.ts';
import * as rule from '../../src/validation/vanish-rule.ts';

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

const { confirms, isLarge, isUsual, needsLaterDate, notLackedBefore } = rule;
const thresholds = { records: 20, percent: 20 };
const loss = (stored: number, lost: number, more: Partial<rule.LossFacts> = {}): rule.LossFacts => ({
  ...{ stored, lost, found: stored - lost, thresholds, ...more },
});

it.each([
  ['more than 20 records of few', loss(50, 21), true],
  ['20 records of few', loss(50, 20), false],
  ['a fifth of many', loss(1_000, 200), false],
  ['more than a fifth of many', loss(1_000, 201), true],
  ['all of five', loss(5, 5), true],
  ['all of four', loss(4, 4), false],
  ['nothing', loss(100, 0), false],
  ['fewer than nothing, where content is the identity', loss(100, -3), false],
  ['more than other thresholds', loss(100, 6, { thresholds: { records: 5, percent: 5 } }), true],
  ['as much as other thresholds', loss(100, 5, { thresholds: { records: 5, percent: 5 } }), false],
])('a loss asks for proof %s: %j', (_name, facts, expected) => {
  expect(isLarge(facts)).toBe(expected);
});

describe('a loss is usual', () => {
  it('up to one and a half times the median of the last full refreshes', () => {
    expect(isUsual(loss(100, 45), [30, 1, 500])).toBe(true);
    expect(isUsual(loss(100, 46), [30, 1, 500])).toBe(false);
    expect(isUsual(loss(100, 30), [10, 30])).toBe(true);
    expect(isUsual(loss(100, 31), [10, 30])).toBe(false);
    expect(isUsual(loss(100, 1), [])).toBe(false);
  });

  it('never where nothing is left', () => {
    expect(isUsual(loss(30, 30), [40])).toBe(false);
  });
});

it('an archive of 20 or more that is empty needs a walk of a later run date', () => {
  expect(needsLaterDate(loss(20, 20), true)).toBe(true);
  expect(needsLaterDate(loss(19, 19), true)).toBe(false);
  expect(needsLaterDate(loss(20, 19), true)).toBe(false);
  expect(needsLaterDate(loss(20, 20), false)).toBe(false);
});

describe('a second walk', () => {
  const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
  const before = { runDate: '2026-01-01', isOver: true, lacking: keys, found: 100 };
  const now = (lacking: readonly string[], more = {}) => ({
    ...{ runDate: '2026-01-01', lacking, found: 100, isByContent: false, needsLaterDate: false, ...more },
  });

  it('confirms the first when it lacks at least 90 percent of the same keys', () => {
    expect(confirms(before, now(keys))).toBe(true);
    expect(confirms(before, now(keys.slice(10)))).toBe(true);
    expect(confirms(before, now(keys.slice(11)))).toBe(false);
    expect(confirms(before, now([...keys.slice(11), 'others']))).toBe(false);
  });

  it('is compared by counts where content is the identity', () => {
    expect(confirms(before, now([], { isByContent: true, found: 95 }))).toBe(true);
    expect(confirms(before, now([], { isByContent: true, found: 94 }))).toBe(false);
    expect(confirms(before, now([], { isByContent: true, found: 105 }))).toBe(true);
    expect(confirms(before, now([], { isByContent: true, found: 106 }))).toBe(false);
  });

  it('of the same run date, in the same half hour, confirms nothing', () => {
    expect(confirms({ ...before, isOver: false }, now(keys))).toBe(false);
    expect(confirms({ ...before, isOver: false }, now(keys, { runDate: '2026-01-02' }))).toBe(true);
  });

  it('of the same run date confirms nothing where a later one is needed', () => {
    expect(confirms(before, now(keys, { needsLaterDate: true }))).toBe(false);
    expect(confirms(before, now(keys, { needsLaterDate: true, runDate: '2026-01-02' }))).toBe(true);
  });

  it('leaves what only it lacks, unless only a sample of the first is stored', () => {
    expect(notLackedBefore(['k1', 'k2'], ['k2', 'k3'])).toEqual(['k3']);
    const sample = Array.from({ length: mostLacking }, (_, index) => `k${index}`);
    expect(notLackedBefore(sample, [...sample, 'more'])).toEqual([]);
  });
});
