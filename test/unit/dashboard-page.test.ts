// Checks what both sides of a page share (the state in the address, periods, narrowing, CSV), and data inside HTML.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { type Fields, pageNames } from '../../src/reporting/dashboard/charts/chart.ts';
import { addDays } from '../../src/reporting/dashboard/charts/dates.ts';
import * as document from '../../src/reporting/dashboard/document/html-document.ts';
import { chartCell, csvText } from '../../src/reporting/dashboard/page/csv-text.ts';
import { narrow } from '../../src/reporting/dashboard/page/narrow.ts';
import {
  chosenPeriod,
  daysIn,
  filePeriods,
  firstState,
  isPeriod,
  offeredSpans,
  periodFor,
  readState,
  spans,
  themes,
  writeState,
} from '../../src/reporting/dashboard/page/page-state.ts';
import { missedText } from '../../src/reporting/dashboard/page/page-words.ts';
import spanish from '../../src/reporting/words.es.json' with { type: 'json' };
import { oneFolder } from '../support/temp-folder.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('the state in the address', () => {
  it('comes back as it was, whatever the name of the client', () => {
    const own = fc.tuple(day, day).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));
    const state = fc.record({
      clientKey: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
      page: fc.option(fc.constantFrom(...pageNames), { nil: undefined }),
      span: fc.oneof(fc.constantFrom(...spans), own),
      language: fc.constantFrom('en' as const, 'es' as const, undefined),
      theme: fc.constantFrom(...themes),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readState(writeState(one))).toEqual(one);
      }),
    );
    expect(writeState(firstState)).toBe('');
  });

  it.each(['', 'page=admin', 'page=competition', 'from=2026-02-30&to=2026-03-01', 'from=2026-03-02'])(
    'takes "%s" as not chosen',
    (text) => expect(readState(text)).toEqual(firstState),
  );
});

describe('a chosen period', () => {
  const dates = { from: '2025-01-10', to: '2026-03-10' };
  it('counts back from the newest data', () => {
    expect(chosenPeriod('7', dates)).toEqual({ from: '2026-03-04', to: '2026-03-10' });
    expect(chosenPeriod('all', dates)).toEqual(dates);
  });

  it('is offered only where data reaches', () => {
    expect(offeredSpans(dates)).toEqual(['7', '28', '56', '90', '365', 'all']);
    expect(offeredSpans({ from: '2026-02-11', to: '2026-03-10' })).toEqual(['7', 'all']);
    expect(offeredSpans({ from: '2026-03-10', to: '2026-03-10' })).toEqual(['all']);
  });

  it('knows the calendar', () => {
    expect(isPeriod('2024-02-29', '2026-02-28')).toBe(true);
    for (const no of ['2026-02-29', '2026-13-01', '2026-1-1', '', 'x']) expect(isPeriod(no, no)).toBe(false);
    fc.assert(
      fc.property(day, fc.nat(4000), (from, days) => {
        expect(daysIn({ from, to: addDays(from, days) })).toBe(days + 1);
      }),
    );
  });
});

describe('narrowing', () => {
  const two = { from: '2026-03-01', to: '2026-03-02' };
  const columns = ['date', 'value'];
  const rows = [
    ['2026-03-01', '1'],
    ['2026-03-02T23:59:00Z', '2'],
    [null, '3'],
    ['2026-03-04', '4'],
  ];
  it('holds the first and the last day, and no row without a date', () => {
    expect(narrow({ dateColumn: 'date' }, { columns, rows }, two)).toEqual(rows.slice(0, 2));
  });

  it('holds a week that ends in it', () => {
    const weeks = { columns: ['week_date'], rows: [['2026-02-23'], ['2026-03-02'], ['2026-03-09']] };
    const period = { from: '2026-03-01', to: '2026-03-08' };
    expect(narrow({ dateColumn: 'week_date' }, weeks, period)).toEqual(weeks.rows.slice(0, 2));
  });

  it('holds the rows that are the chart’s, by what stands in all of them, whatever their dates', () => {
    const keep = (row: Fields, all: readonly Fields[]) => row.text('value') !== all.at(-1)?.text('value');
    expect(narrow({ keep }, { columns, rows }, two)).toEqual(rows.slice(0, 3));
    expect(narrow({}, { columns, rows }, two)).toEqual(rows);
  });
});

describe('a CSV', () => {
  it('has no cell or line that is a formula, wherever a spreadsheet splits it', () => {
    const unit = fc.constantFrom(...'=+-@;,"\t\r\na1 ');
    const text = fc.string({ unit, maxLength: 12 }).filter((one) => !/^[+-]\d+$/.test(one));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        for (const line of csvText([], [texts], 'en')
          .slice(1)
          .split(/[;\t\r\n]/))
          expect(line.replace(/^"*/, '')).not.toMatch(/^[=+\-@]/);
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string | null, string]>([
    ...['-1', '+1.5', '12345678901234567890.123450', '0.10'].map((text): [string, string] => [text, text]),
    ...['a;b', 'a\tb', 'a\nb', 'a,b'].map((text): [string, string] => [text, `"${text}"`]),
    ['a,"b"\nc', '"a,""b""\nc"'],
    ['', '""'],
    [null, ''],
  ])('leaves numbers, quotes as a whole, and tells NULL from an empty text: %j', (text, cell) => {
    expect(chartCell(text)).toBe(cell);
  });

  it('begins with the mark of UTF-8 and the labels', () => {
    expect(csvText(['client_name'], [['ñ']], 'es')).toBe('\uFEFFCliente\r\nñ\r\n');
  });
});

it.each([
  [[2], 'rank', '1 night missed for good: 2 Nov 2026 (rank)'],
  [
    [1, 2, 3, 4, 5],
    'a b c d',
    '5 nights missed for good: 5 Nov 2026, 4 Nov 2026, 3 Nov 2026 and 2 more (a, b, c and 1 more)',
  ],
])(
  'missed nights are one sentence, the newest first, and not listed to the end: %#',
  (days, streams, text) => {
    const dates = days.map((date) => `2026-11-0${date}`);
    expect(missedText({ dates, streams: streams.split(' ') }, 'en')).toBe(text);
  },
);

const root = join(packageRoot(), 'src', 'reporting');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const sources = files.map((name) => readFileSync(join(root, name), 'utf8').replaceAll("\\'", "'")).join('\n');

it('words stand in the Spanish file for a translator, none of them unused, each with the places of the English', () => {
  const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  for (const [english, translated] of Object.entries(spanish)) {
    expect(sources).toContain(english);
    expect(places(english), english).toEqual(expect.arrayContaining(places(translated)));
    expect(translated.split('|').length, english).toBe(english.split('|').length);
  }
});

describe('the dates of a file', () => {
  it('are there once while no statement samples them', () => {
    const half = { from: '2026-01-01', to: '2026-06-29' };
    expect(filePeriods(half, 'client')).toEqual([half]);
  });

  it('are there day by day at their end, and by week as a whole', () => {
    const years = { from: '2024-01-01', to: '2026-06-29' };
    expect(filePeriods(years, 'client')).toEqual([{ from: '2026-01-01', to: '2026-06-29' }, years]);
  });

  it('are there once for each choice where they are counted over it', () => {
    const months = { from: '2026-04-01', to: '2026-06-29' };
    const begin = ['2026-06-23', '2026-06-02', '2026-05-05', '2026-04-01'];
    expect(filePeriods(months, 'questions').map(({ from }) => from)).toEqual(begin);
    expect(begin[periodFor({ from: '2026-06-02', to: '2026-06-29' }, begin)]).toBe('2026-06-02');
  });
});

const { dataScript, readAssets, selfContained } = document;

describe('a block of data', () => {
  const hostile = ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028', '‮', '&lt;', '💥'];
  it('gives back every text as it was, and holds no mark that a parser looks for', () => {
    const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const block = /^<script type="application\/json" id="x">(.*)<\/script>$/s;
        const [, inside = ''] = block.exec(dataScript(texts, { id: 'x' })) ?? [];
        expect(inside).not.toMatch(/[<>&]/);
        expect(JSON.parse(inside)).toEqual(texts);
      }),
    );
  });

  it('keeps texts inside their attribute', () => {
    expect(dataScript(1, { 'data-client-key': 'a/"><b' })).toBe(
      '<script type="application/json" data-client-key="a/&quot;&gt;&lt;b">1</script>',
    );
  });
});

it('the document allows its own script and style by their hashes, and nothing else', () => {
  const script = 'say("</script><!-- -->")';
  const [before, after] = selfContained({ script, style: 'a{}' }, { language: 'en', title: '<i>"&' });
  const inline = /<script>(.*?)<\/script>/s.exec(after)?.[1] ?? '';
  expect(inline).toBe('say("<\\/script><\\!-- -->")');
  const hash = createHash('sha256').update(inline).digest('base64');
  expect(before).toContain(`script-src 'sha256-${hash}'`);
  expect(before).toContain("default-src 'none'");
  expect(before).toContain('<title>&lt;i&gt;&quot;&amp;</title>');
});

describe('the browser part', () => {
  const root = oneFolder();

  async function write(path: string, text: string, atS: number): Promise<void> {
    const file = join(root, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    await utimes(file, atS, atS);
  }

  it('says what to run where there is no build, or an older one', async () => {
    expect(() => readAssets(root)).toThrow('is not built. Run: npm run build');
    await write('dist/dashboard/app.js', 'js', 2_000);
    await write('dist/dashboard/app.css', 'css', 2_000);
    expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
    await write('src/reporting/dashboard/browser/app.ts', '', 1_000);
    // Files that do not run in the browser do not count.
    await write('src/reporting/dashboard/serve/dashboard-server.ts', '', 3_000);
    expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
    await write('src/reporting/dashboard/charts/rank-trend.ts', '', 3_000);
    expect(() => readAssets(root)).toThrow('is older than its sources. Run: npm run build');
  });
});
