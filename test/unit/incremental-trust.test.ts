// Full refreshes teach how far incremental refreshes can be trusted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { depthOf, incrementalEnd } from '../../src/store/scopes/incremental.ts';
import type { FullRefresh } from '../../src/store/slices/walk-history.ts';
import { isFullRefreshDue, isTrusted, trustOf } from '../../src/sync/plan/slice-cost.ts';

function walk(depth: number | null, late = 0, keyConflicts = 0): FullRefresh {
  return { runDate: '2026-01-01', pages: 40, records: 8_000, depth, late, keyConflicts };
}

describe('trust', () => {
  it('takes two comparisons; the first walk of all compares with nothing', () => {
    for (const walks of [[], [walk(1), walk(null)]]) expect(isTrusted(trustOf(walks))).toBe(false);
    expect(isTrusted(trustOf([walk(1), walk(0), walk(null)]))).toBe(true);
  });

  it('walks at least to the deepest change of the clean walks, and a margin', () => {
    expect(trustOf([walk(0), walk(0)]).leastPages).toBe(1);
    expect(trustOf([walk(1), walk(3), walk(2)]).leastPages).toBe(4);
    expect(trustOf([walk(2), walk(12)]).leastPages).toBe(16);
  });

  it('is lost by one change beyond the first pages, and costs twice as many clean walks each time', () => {
    const surprise = walk(30, 4);
    const clean = walk(1);
    expect(trustOf([surprise, clean, clean])).toMatchObject({ clean: 0, needed: 4, surprises: 1 });
    expect(isTrusted(trustOf([clean, clean, clean, surprise]))).toBe(false);
    expect(isTrusted(trustOf([clean, clean, clean, clean, surprise]))).toBe(true);
    expect(isTrusted(trustOf([clean, clean, clean, clean, surprise, surprise]))).toBe(false);
  });

  it('is lost when a record has no key of its own', () => {
    expect(isTrusted(trustOf([walk(1), walk(1, 0, 2), walk(1)]))).toBe(false);
  });
});

describe('a full refresh', () => {
  const first = parseRunDate('2026-01-01') as RunDate;

  it('is due once in the given days, on any day, and never late', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.string(), (everyDays, clientId) => {
        let lastFull = first;
        const gaps: number[] = [];
        for (let day = 1; day <= everyDays * 4; day += 1) {
          const runDate = addDays(first, day);
          if (!isFullRefreshDue({ stream: 'citas', clientId }, { lastFull, runDate }, everyDays)) continue;
          gaps.push((Date.parse(runDate) - Date.parse(lastFull)) / 86_400_000);
          lastFull = runDate;
        }
        expect(Math.max(...gaps)).toBeLessThanOrEqual(everyDays);
        for (const gap of gaps.slice(1)) expect(gap).toBe(everyDays);
      }),
    );
  });

  it('of many scopes is not due on one day', () => {
    const dates = { lastFull: first, runDate: addDays(first, 1) };
    const due = Array.from({ length: 700 }, (_, index) =>
      isFullRefreshDue({ stream: 'visibility_history', clientId: String(index) }, dates, 7),
    ).filter(Boolean);
    expect(due.length).toBeGreaterThan(60);
    expect(due.length).toBeLessThan(140);
  });
});

describe('where an incremental refresh would have ended', () => {
  const changes = fc
    .dictionary(fc.integer({ min: 1, max: 20 }).map(String), fc.nat(5))
    .map((found) => new Map(Object.entries(found).map(([page, count]) => [Number(page), count])));

  it('every change is either before that page or counted as late', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 10 }), (found, leastPages) => {
        const rule = { leastPages };
        const end = incrementalEnd(rule, found, 20);
        const beyond = [...found].reduce((sum, [page, count]) => sum + (page > end ? count : 0), 0);
        expect(depthOf(rule, found, { pages: 20, vanished: 0 }).late).toBe(beyond);
        if (end === 20) return;
        expect(end).toBeGreaterThanOrEqual(leastPages);
        expect(found.get(end) ?? 0).toBe(0);
      }),
    );
  });

  it('a vanished record is always late, and as deep as the archive', () => {
    expect(depthOf({ leastPages: 1 }, new Map(), { pages: 9, vanished: 2 })).toEqual({ depth: 9, late: 2 });
  });
});
