// Checks each figure that a forecast gives for a plan, from walks whose fate is given.
import { describe, expect, it } from 'vitest';
import { forecast, type StreamForecast } from '../../src/sync/plan/forecast.ts';
import type { Plan, PlannedWalk } from '../../src/sync/plan/plan.ts';
import { type WalkGiven, plannedWalk as walk } from '../support/plan-facts.ts';

const now = new Date('2026-07-15T10:00:00Z');
const renewsAt = new Date('2026-07-16T00:00:00Z');

const doneWalk = (given: WalkGiven) => walk({ ...given, done: true, full: 0, requests: 0, fit: undefined });
const incrementalWalk = (given: WalkGiven) => walk({ walk: 'incremental', requests: 2, ...given });

function forecastOf(given: readonly PlannedWalk[], more: Partial<Plan> = {}) {
  const turn = { withinDays: 3, highFirst: true, restOfDay: 100 };
  const archives = { allFull: 0, archivesFull: 0, archivesMay: 0, fullFits: false };
  const plan: Plan = { walks: given, ...turn, ...archives, ...more };
  return forecast({ account: 'a', plan, perMinute: 60, remainingToday: 100, wholeDay: 100, renewsAt, now });
}

function only(streams: readonly StreamForecast[]): StreamForecast {
  expect(streams).toHaveLength(1);
  return streams[0] ?? expect.fail();
}

describe('a stream of the plan', () => {
  it('counts its slices by their outcome, and finished ones need no request', () => {
    const stream = only(
      forecastOf([
        doneWalk({ stream: 's', clientId: '1', storedPages: 50, walking: true }),
        walk({ stream: 's', clientId: '2', storedPages: 4, requests: 6 }),
        walk({ stream: 's', clientId: '3', storedPages: 3, requests: 7, walking: true }),
        incrementalWalk({ stream: 's', clientId: '4' }),
        walk({ stream: 's', clientId: '5', fit: 'waits', firstWalk: true }),
        incrementalWalk({ stream: 's', clientId: '6', fit: 'waits' }),
        walk({ stream: 's', clientId: '7', fit: 'never', requests: 900 }),
        walk({ stream: 's', clientId: '8', fit: 'waits' }),
      ]).streams,
    );
    expect(stream).toEqual({
      ...{ stream: 's', slices: 8, done: 1, walking: 1, stored_pages: 7, last_run_date: '2026-07-14' },
      ...{ requests: 6 + 7 + 2 + 10 + 2 + 900 + 10, first_walks: 1, full: 2, incremental: 1 },
      ...{ deferred: 4, saved: 8 },
    });
  });

  it('is as old as its oldest slice, and never published while one of them is not', () => {
    const dates = (...all: readonly (string | undefined)[]) =>
      only(forecastOf(all.map((lastRunDate) => walk({ stream: 's', lastRunDate }))).streams).last_run_date;
    expect(dates('2026-07-14', '2026-07-09', '2026-07-12')).toBe('2026-07-09');
    expect(dates('2026-07-09', '2026-07-14')).toBe('2026-07-09');
    expect(dates(undefined, '2026-07-14')).toBeNull();
    expect(dates('2026-07-14', undefined, '2026-07-09')).toBeNull();
  });

  it('is counted separately from the others, in the order of the plan', () => {
    const { streams } = forecastOf([walk({ stream: 'b' }), walk({ stream: 'a' }), walk({ stream: 'b' })]);
    expect(streams.map(({ stream, slices }) => `${stream} ${slices}`)).toEqual(['b 2', 'a 1']);
  });
});

describe('the whole plan', () => {
  it('counts what fits, by how it is walked, and what incremental refreshes leave out today', () => {
    const figures = forecastOf([
      doneWalk({ stream: 'a', firstWalk: true }),
      walk({ stream: 'b', firstWalk: true }),
      incrementalWalk({ stream: 'c', full: 40 }),
      incrementalWalk({ stream: 'd', full: 500, fit: 'waits' }),
    ]);
    expect(figures).toMatchObject({ account: 'a', slices: 4, to_do: 3, first_walks: 1, requests: 14 });
    expect(figures).toMatchObject({ fits: 2, incremental: 1, saved: 38, deferred: 1, requests_today: 12 });
  });

  it('names each stream that waits once, and none that fits or never will', () => {
    const figures = forecastOf([
      walk({ stream: 'fits' }),
      walk({ stream: 'late', clientId: '1', fit: 'waits' }),
      walk({ stream: 'late', clientId: '2', fit: 'waits' }),
      walk({ stream: 'later', fit: 'waits' }),
      walk({ stream: 'never', fit: 'never' }),
    ]);
    expect(figures.deferred_streams).toEqual(['late', 'later']);
    expect(figures.deferred).toBe(3);
  });

  it('names what takes more than a whole day, which leaves something for later too', () => {
    const huge = walk({ stream: 'huge', clientId: '7', fit: 'never', full: 9_000, requests: 8_000 });
    const figures = forecastOf([walk({ stream: 'fits' }), huge]);
    expect(figures.never_fit).toEqual([{ stream: 'huge', client_id: '7', requests: 8_000 }]);
    expect(figures.deferred_until).toBe('2026-07-16T00:00:00.000Z');
    expect(forecastOf([walk({ stream: 'fits' })])).toMatchObject({ never_fit: [], deferred_until: null });
  });

  it('says until when it waits, however much else never fits', () => {
    const waits = walk({ stream: 'late', fit: 'waits' });
    const never = walk({ stream: 'huge', fit: 'never' });
    expect(forecastOf([waits, never]).deferred_until).toBe('2026-07-16T00:00:00.000Z');
  });

  it('names the archives whose tail is not seen: those refreshed incrementally that no day has room for', () => {
    const figures = forecastOf([
      incrementalWalk({ stream: 'unseen', clientId: '7', full: 900, tailUnseen: true }),
      incrementalWalk({ stream: 'seen', full: 90 }),
      walk({ stream: 'whole', full: 900, tailUnseen: true }),
      doneWalk({ stream: 'done', tailUnseen: true }),
    ]);
    expect(figures.tails_unseen).toEqual([{ stream: 'unseen', client_id: '7', requests: 900 }]);
  });

  it('ends when the minutes that its requests take today are over', () => {
    const waits = walk({ stream: 'b', requests: 500, fit: 'waits' });
    const figures = forecastOf([walk({ stream: 'a', requests: 130 }), waits]);
    expect(figures).toMatchObject({ requests_today: 130, ends_at: '2026-07-15T10:02:10.000Z' });
  });

  it('gets its turn a day before the planner calls a wait too long', () => {
    expect(forecastOf([walk({ stream: 'a' })], { withinDays: 4 }).all_within_days).toBe(3);
  });
});
