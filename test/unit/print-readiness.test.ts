import { expect, test } from 'vitest';
import { checkViews } from '../../src/cli/commands/doctor-database.ts';
import { readinessLine, readinessLines } from '../../src/cli/print/readiness.ts';
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

test('each view that is not ready says why, and equal reasons are told once', () => {
  const lines = readinessLines(
    readiness(
      view('a'),
      view('b', {
        state: 'partial',
        gaps: [
          gap('title', 'products.title'),
          { column: 'price', reads: 'partly', fields: ['products.price'] },
        ],
      }),
      view('c', { state: 'empty', missing: [unsynced] }),
      view('d', { state: 'empty', missing: [unsynced] }),
      view('e', { state: 'empty' }),
      view('f', { state: 'empty', gaps: [gap('(rows)', 'claims.(rows)')] }),
    ),
    80,
  );
  expect(lines).toEqual([
    '',
    '1 of 6 views ready, 1 partial (airank map), 4 without data',
    '',
    'Partial: columns without a value, and the fields that are not found',
    '  bi.b: title (products.title), price (partly: products.price)',
    '',
    'Without data',
    '  bi.c, bi.d: prediccion: never synced',
    '  bi.e: nothing to show so far',
    '  bi.f: not found: claims.(rows)',
  ]);
});

test('what most views lack is told once', () => {
  const names = { column: 'client_name', reads: 'partly', fields: ['clients.name'] } as const;
  const views = ['a', 'b', 'c', 'd'].map((name) => view(name, { state: 'partial', gaps: [names] }));
  const other = view('e', { state: 'partial', gaps: [names, gap('title', 'products.title')] });
  expect(readinessLines(readiness(...views, other), 80).slice(4)).toEqual([
    '  5 of 5: client_name (partly: clients.name)',
    '  bi.a, bi.b, bi.c, bi.d: only that',
    '  bi.e: title (products.title)',
  ]);
});

test('long reasons fit the terminal', () => {
  const many = Array.from({ length: 30 }, (_, index) => gap(`column_${index}`, `source.field_${index}`));
  const views = readiness(view('a', { state: 'partial', gaps: many }));
  for (let width = 75; width <= 90; width += 1) {
    const lines = readinessLines(views, width);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.join(' ')).toContain('column_29 (source.field_29)');
  }
});

test('doctor warns of partial views, and only of them', () => {
  const empty = readiness(view('a'), view('b', { state: 'empty' }));
  expect(checkViews(summarize(empty))).toMatchObject({ level: 'fine' });
  const partial = readiness(view('a', { state: 'partial', gaps: [gap('x', 's.x')] }));
  expect(checkViews(summarize(partial))).toMatchObject({ level: 'warning', fix: 'airank views says why' });
});
