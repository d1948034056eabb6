import { expect, test } from 'vitest';
import { checkViews } from '../../src/cli/commands/doctor-checks.ts';
import { readinessLine } from '../../src/cli/print/readiness.ts';
import { type Readiness, summarize, type ViewReadiness } from '../../src/status/view-readiness.ts';

const view = (name: string, more: Partial<ViewReadiness> = {}): ViewReadiness => ({
  view: `bi.${name}`,
  state: 'ready',
  gaps: [],
  absent: [],
  missing: [],
  ...more,
});

function readiness(...views: ViewReadiness[]): Readiness {
  const count = (state: string) => views.filter((one) => one.state === state).length;
  return {
    ready: count('ready'),
    partial: count('partial'),
    empty: count('empty'),
    views,
    streams: new Map(),
  };
}

const gap = (column: string, ...fields: string[]) => ({ column, reads: 'nothing', fields }) as const;
const unsynced = { stream: 'prediccion', why: 'never_synced' } as const;

test('the line counts what is ready, and says nothing of what there is none of', () => {
  expect(readinessLine(readiness(view('a'), view('b')))).toBe('2 of 2 views ready');
  const mixed = readiness(
    view('a'),
    view('b', { state: 'partial', gaps: [gap('title', 'products.title')] }),
    view('c', { state: 'empty', missing: [unsynced] }),
  );
  expect(readinessLine(mixed)).toBe('1 of 3 views ready, 1 partial (airank map), 1 without data');
  expect(readinessLine(summarize(mixed))).toBe(readinessLine(mixed));
});

test('the mapping is not named where only data is missing', () => {
  const waits = view('a', { state: 'partial', gaps: [gap('title')], missing: [unsynced] });
  expect(readinessLine(readiness(waits))).toBe('0 of 1 views ready, 1 partial');
});

test('doctor warns of partial views, and only of them', () => {
  const empty = readiness(view('a'), view('b', { state: 'empty' }));
  expect(checkViews(summarize(empty))).toMatchObject({ level: 'fine' });
  const partial = readiness(view('a', { state: 'partial', gaps: [gap('x', 's.x')] }));
  expect(checkViews(summarize(partial))).toMatchObject({ level: 'warning', fix: 'airank views says why' });
});
