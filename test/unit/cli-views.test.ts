import { expect, test } from 'vitest';
import { rebuildLines, viewLines } from '../../src/cli/commands/views-command.ts';
import type { ViewLine } from '../../src/publish/views/list-views.ts';

const view = (more: Partial<ViewLine>): ViewLine => ({
  view: 'bi.sources',
  grain: 'one row a domain and run date.',
  question: 'Which sources are there?',
  rows: 1_234,
  newest: '2026-03-01',
  ...more,
});

test('a view is a line of rows, newest date and grain', () => {
  expect(
    viewLines(
      [view({}), view({ view: 'bi.answers', grain: 'one row an answer.', rows: null, newest: null })],
      80,
    ),
  ).toEqual([
    'view          rows  newest      one row is a',
    'bi.sources   1,234  2026-03-01  domain and run date',
    'bi.answers  (slow)              answer',
  ]);
});

test('a view has its state beside its name', () => {
  const readiness = {
    ready: 0,
    partial: 1,
    empty: 0,
    views: [{ view: 'bi.sources', state: 'partial', gaps: [], absent: [], missing: [] } as const],
    streams: new Map(),
  };
  expect(viewLines([view({})], 80, readiness)).toEqual([
    'view        state     rows  newest      one row is a',
    'bi.sources  partial  1,234  2026-03-01  domain and run date',
  ]);
});

test('a narrow terminal breaks the grain at its blanks, and cuts nothing', () => {
  const grain = 'one row a client, the account itself included, and each date on which it was measured.';
  expect(viewLines([view({ grain })], 56)).toEqual([
    'view         rows  newest      one row is a',
    'bi.sources  1,234  2026-03-01  client, the account',
    '                               itself included, and each',
    '                               date on which it was',
    '                               measured',
  ]);
});

test('a warehouse without data says what to do', () => {
  const empty = [view({ rows: 0 }), view({ view: 'ops.field_catalog', rows: 300 })];
  expect(viewLines(empty, 80).at(-1)).toBe('Nothing is published yet. Run: airank sync');
  expect(viewLines([], 80)).toEqual(['There are no such views yet. Run: airank sync']);
});

test('tables that are filled anew are named with progress and command; without any the text is empty', () => {
  const lines = rebuildLines([{ source: 'products', scopes: 20, filled: 3 }]);
  expect(lines).toContain('  products: 3 of 20 slices');
  expect(lines.at(-1)).toMatch(/airank views refresh$/);
  expect(rebuildLines([])).toEqual([]);
});
