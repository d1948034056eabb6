import { describe, expect, it } from 'vitest';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { faultsOf, fileFaults, good, load } from '../support/config-fixtures.ts';

const knownStreams = ['airank', 'visibility', 'citas'];

describe('settings of the walks', () => {
  it('are by default what the documentation says', () => {
    expect(load(good)).toMatchObject({
      dayRenewsAtMinutes: 0,
      learnDayRenewal: true,
      walks: {
        priorityStreams: ['airank', 'visibility'],
        quietPages: 1,
        fullRefreshDays: 7,
        fullRefreshPercent: 5,
      },
    });
  });

  it('a time of renewal that is set is not learned over', () => {
    const config = load({ ...good, AIRANK_DAY_RENEWS_AT: '07:30' });
    expect(config).toMatchObject({ dayRenewsAtMinutes: 450, learnDayRenewal: false });
  });

  it('name every fault at once: limits of zero, a reserve of all, unknown streams', () => {
    const env = {
      ...good,
      AIRANK_PER_MINUTE: '0',
      AIRANK_PER_DAY: '-5',
      AIRANK_RESERVE_PERCENT: '101',
      AIRANK_QUIET_PAGES: '0',
      AIRANK_FULL_REFRESH_DAYS: '0',
      AIRANK_FULL_REFRESH_PERCENT: '101',
      AIRANK_PRIORITY_STREAMS: 'airnk, citas, nada',
    };
    expect(faultsOf(env, {}, { knownStreams })).toEqual([
      'Expected AIRANK_PER_MINUTE to be an integer >= 1, got "0"',
      'Expected AIRANK_PER_DAY to be an integer >= 1, got "-5"',
      'Expected AIRANK_RESERVE_PERCENT to be a number >= 0 and below 100, got "101"',
      'Expected AIRANK_QUIET_PAGES to be an integer >= 1, got "0"',
      'Expected AIRANK_FULL_REFRESH_DAYS to be an integer >= 1, got "0"',
      'Expected AIRANK_FULL_REFRESH_PERCENT to be a number from 0 to 100, got "101"',
      'Expected AIRANK_PRIORITY_STREAMS to be names of known streams, got "airnk". Did you mean airank?',
      'Expected AIRANK_PRIORITY_STREAMS to be names of known streams, got "nada". Known: airank, visibility, citas.',
    ]);
  });

  it('take a stream of the file for a known one, and a list or none for names', () => {
    const file = { 'airank.config.yaml': 'streams: {own: {route: own}}\npriority_streams: [own]' };
    expect(faultsOf(good, file, { knownStreams })).toEqual([]);
    expect(load(good, file).walks.priorityStreams).toEqual(['own']);
    expect(load({ ...good, AIRANK_PRIORITY_STREAMS: 'none' }).walks.priorityStreams).toEqual([]);
    expect(fileFaults('priority_streams: [1]')).toHaveLength(1);
  });

  it('decide which streams are of high priority', () => {
    const config = load({ ...good, AIRANK_PRIORITY_STREAMS: 'citas' });
    const high = resolveStreams(config).filter((stream) => stream.priority === 'high');
    expect(high.map((stream) => stream.name)).toEqual(['citas']);
  });
});
