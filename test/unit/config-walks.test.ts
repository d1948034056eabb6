import { describe, expect, it } from 'vitest';
import { faultsOf, good, load } from '../support/config-fixtures.ts';

describe('the limits of an account', () => {
  it('are by default what the documentation says', () => {
    expect(load(good)).toMatchObject({ dayRenewsAtMinutes: 0, learnDayRenewal: true });
  });

  it('a time of renewal that is set is not learned over', () => {
    const config = load({ ...good, AIRANK_DAY_RENEWS_AT: '07:30' });
    expect(config).toMatchObject({ dayRenewsAtMinutes: 450, learnDayRenewal: false });
  });

  it('name every fault at once: limits of zero, a reserve of all', () => {
    const env = {
      ...good,
      AIRANK_PER_MINUTE: '0',
      AIRANK_PER_DAY: '-5',
      AIRANK_RESERVE_PERCENT: '101',
    };
    expect(faultsOf(env)).toEqual([
      'Expected AIRANK_PER_MINUTE to be an integer >= 1, got "0"',
      'Expected AIRANK_PER_DAY to be an integer >= 1, got "-5"',
      'Expected AIRANK_RESERVE_PERCENT to be a number >= 0 and below 100, got "101"',
    ]);
  });
});
