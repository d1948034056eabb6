// How tables, trends, shares and lines of a terminal are printed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeText, trendLine } from '../../src/cli/commands/demo-command.ts';
import { percent } from '../../src/cli/commands/map-command.ts';
import { readinessLine } from '../../src/cli/print/readiness.ts';
import { table } from '../../src/cli/print/table.ts';
import { columnsOf, fold, textWidth } from '../../src/cli/print/text.ts';
import type { Lack, ViewReadiness } from '../../src/status/view-readiness.ts';

const jobs = [
  ['job', 'runs', 'streams', 'description'],
  ['daily-snapshot', 12, 'airank, visibility, citas', 'Every stream of every client, once a night.'],
  ['once', 1_200, 'all', ''],
];

describe('a table', () => {
  test('aligns numbers and percentages to the right and texts to the left', () => {
    const rows = [
      ['stream', 'records', 'share'],
      ['airank', 7, '100 %'],
      ['clientes', 12_345, '8 %'],
    ];
    expect(table(rows, { width: 80 })).toEqual([
      'stream    records  share',
      'airank          7  100 %',
      'clientes   12,345    8 %',
    ]);
  });
  test('is as wide as its cells in a pipe, whatever may give way there', () => {
    const options = { wraps: ['streams', 'description'], yields: ['streams', 'description'] };
    expect(table(jobs, { width: Number.POSITIVE_INFINITY, ...options })).toEqual([
      'job              runs  streams                    description',
      'daily-snapshot     12  airank, visibility, citas  Every stream of every client, once a night.',
      'once            1,200  all',
    ]);
  });

  test('breaks prose at blanks before a column goes', () => {
    expect(table(jobs, { width: 70, wraps: ['streams', 'description'], yields: ['streams'] })).toEqual([
      'job              runs  streams                 description',
      'daily-snapshot     12  airank, visibility,     Every stream of every',
      '                       citas                   client, once a night.',
      'once            1,200  all',
    ]);
  });

  test('counts columns of the terminal, not characters', () => {
    expect(['é', 'e\u0301', '你好', '👩‍👧', '▁█', '✓'].map(textWidth)).toEqual([1, 1, 4, 2, 2, 1]);
  });
  test('fits its terminal, and holds every word of what it shows, whole and in order', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'ñ', '你', '.') });
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const row = fc.tuple(word, text, fc.nat({ max: 999 }), text);
    const title = ['key', 'left', 'count', 'middle'];
    const someRows = fc.array(row, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(someRows, fc.integer({ min: 60, max: 130 }), (rows, width) => {
        const lines = table([title, ...rows], { width, wraps: ['left'], yields: ['middle'] });
        expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
        const shown = new Set(lines.join(' ').split(/\s+/));
        const isOut = !lines[0]?.includes('middle');
        const cells = rows.flatMap(([key, left, _, middle]) => [key, left, isOut ? '' : middle]);
        const words = cells.flatMap((cell) => cell.split(' ')).filter((one) => one !== '');
        expect(words.filter((one) => !shown.has(one))).toEqual([]);
      }),
    );
  });
});

test('a line that is too wide goes on below its text: behind a sign, a name, or as far in', () => {
  const folded = ['  Backup    2 days ago, to', '            a far folder'];
  expect(fold('  Backup    2 days ago, to a far folder', 26)).toEqual(folded);
  expect(fold('✗ failed: citas answered 500', 20)).toEqual(['✗ failed: citas', '  answered 500']);
  const failed = '    failed: citas: GET citas answered 500';
  expect(fold(failed, 30)).toEqual(['    failed: citas: GET citas', '    answered 500']);
  expect(fold('  two  blanks stay', 30)).toEqual(['  two  blanks stay']);
});

// Regression: under script and in containers plan printed 250 lines of 40 columns.
test.each([
  [{ isTTY: true, columns: 0 }, 80],
  [{ isTTY: true }, 80],
  [{ isTTY: true, columns: 20 }, 40],
  [{ isTTY: true, columns: 120 }, 120],
  [{ columns: 80 }, Number.POSITIVE_INFINITY],
])('a stream %j is %d columns wide', (stream, columns) => {
  expect(columnsOf(stream)).toBe(columns);
});

test('wrapped lines fit the width, and hold every word in order', () => {
  const word = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'ñ', '😀') });
  fc.assert(
    fc.property(fc.array(word), fc.integer({ min: 30, max: 80 }), (words, width) => {
      const lines = fold(`  ! ${words.join(' ')}`, width);
      expect(lines.every((line) => textWidth(line) <= width)).toBe(true);
      expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(['!', ...words]);
    }),
  );
});

test('a trend line goes from the lowest to the highest value and leaves gaps', () => {
  expect(trendLine([1, 2, null, 8])).toBe('▁▂ █');
  expect(trendLine([5, 5])).toBe('▅▅');
  expect(trendLine([null])).toBe(' ');
});

test('a change has a sign, and none is claimed where there is nothing to compare with', () => {
  expect(changeText(2.34)).toBe('+2.3');
  expect(changeText(-2)).toBe('-2.0');
  expect(changeText(-0.01)).toBe('±0.0');
  expect(changeText(null)).toBe('–');
});

test('shares are whole percent, and 0 and 100 only where it is so', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
});

const lack = (why: Lack['why']): ViewReadiness => ({
  ...{ view: 'bi.a', has_rows: true },
  lacks: [{ column: 'x', shows: 'nothing', field: 's.x', stream: 'citas', why }],
});

test('the line counts views with data, and names the mapping only where somebody can say where a field is', () => {
  const line = (...lacking: ViewReadiness[]) => readinessLine({ count: 3, with_rows: 2, lacking });
  expect(line(lack('never_synced'), lack('absent'))).toBe('2 of 3 views have data');
  expect(line(lack('not_found'))).toBe(
    '2 of 3 views have data; 1 view has columns whose field is not found: airank map',
  );
});
