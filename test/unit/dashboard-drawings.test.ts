// Every chart of the catalog as SVG, of rows that nobody would choose: widths, languages, colours and hostile texts.
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { beforeAll, describe, expect, it } from 'vitest';
import { echartsParts } from '../../src/reporting/dashboard/browser/echarts-parts.ts';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import type { Chart, Column, DrawContext, Drawing, Row } from '../../src/reporting/dashboard/charts/chart.ts';
import { darkPalette, lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';

// Not all of ECharts: its parts are known to every test of a worker, and one of them looks for what is missing.
beforeAll(() => use([...echartsParts, SVGRenderer]));

const period = { from: '2026-03-01', to: '2026-03-31' };
const compare = { from: '2026-01-29', to: '2026-02-28' };

const hostileTexts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'مرحبا بالعالم \u202Eabc',
  '🦉👩‍👩‍👧 {a|b} {marker|c} {b} %s',
  'x'.repeat(5_000),
  `${'long words '.repeat(450)}end`,
  '__proto__',
  'constructor',
  '=1+1',
  '',
  ' \n\t ',
];

/** A value of a column that its kind allows, another for each row. */
function hostileValue({ kind, words }: Column, row: number): string {
  const known = Object.keys(words ?? {});
  switch (kind) {
    case 'date':
      return new Date(Date.UTC(2026, row % 3 === 0 ? 1 : 2, 1 + (row % 28))).toISOString().slice(0, 10);
    case 'number':
      return ['0', '-12.5', '123456789012345678901234567890', '0.00000001', '7'][row % 5] ?? '';
    case 'amount':
      return ['0.00', '-1234567890123.4500', '12.10'][row % 3] ?? '';
    case 'score':
      return ['0', '100', '54.1'][row % 3] ?? '';
    case 'rate':
      return ['0', '1', '0.123'][row % 3] ?? '';
    case 'level':
      return String(row % 7);
    case 'flag':
      return row % 2 === 0 ? 'true' : 'false';
    case 'text':
      return known.length > 0 && row % 2 === 0
        ? (known[row % known.length] ?? '')
        : (hostileTexts[row % hostileTexts.length] ?? '');
  }
}

const hostileRow = (chart: Chart, row: number): Row =>
  chart.columns.map((column) => hostileValue(column, row));
const numbers = Array.from({ length: 40 }, (_, row) => row);

const worlds: readonly (readonly [name: string, rows: (chart: Chart) => readonly Row[]])[] = [
  ['hostile texts', (chart) => numbers.map((row) => hostileRow(chart, row))],
  ['one row', (chart) => [hostileRow(chart, 1)]],
  ['no value at all', (chart) => numbers.slice(0, 3).map(() => chart.columns.map(() => null))],
  [
    'a value missing here and there',
    (chart) =>
      numbers.map((row) =>
        hostileRow(chart, row).map((value, place) => ((row + place) % 3 === 0 ? null : value)),
      ),
  ],
];

/** Every two of width, language and palette come together once. */
const contexts = (
  [
    [390, 'en', lightPalette, compare],
    [390, 'es', darkPalette, undefined],
    [1280, 'en', darkPalette, compare],
    [1280, 'es', lightPalette, undefined],
  ] as const
).map(
  ([widthPx, language, palette, beside]): DrawContext => ({
    language,
    palette,
    period,
    compare: beside,
    markers: [
      { date: '2026-03-03', type: 'note', title: '<script>alert(2)</script>' },
      { date: '2026-03-04', type: 'alert', title: 'x'.repeat(5_000) },
    ],
    changes: [],
    gaps: {},
    clientKey: 'a/1',
    widthPx,
  }),
);

function svgOf(drawing: Drawing & { type: 'picture' }, widthPx: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: drawing.heightPx });
  try {
    chart.setOption(drawing.option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** Of all text that a drawing holds outside pictures. */
function wordsOf(drawing: Drawing): string {
  if (drawing.type === 'tiles') return JSON.stringify(drawing.tiles);
  return drawing.type === 'text' ? drawing.text : '';
}

/** Longest text of a picture: what is longer runs over others. */
const mostCharacters = 80;

describe.each(charts.map((chart) => [chart.name, chart] as const))('the chart %s', (_, chart) => {
  it.each(worlds)(
    'draws %s, without NaN, markup or a text that runs on',
    (_world, rowsOf) => {
      const rows = rowsOf(chart);
      for (const context of contexts) {
        const title = chart.title(rows, context);
        expect(title).toMatch(/\S/);
        expect(title.length).toBeLessThan(400);
        expect(title).not.toMatch(/NaN|Infinity|undefined|\bnull\b|\.$/);
        for (const drawing of chart.draw(rows, context)) {
          expect(wordsOf(drawing)).not.toMatch(/NaN|Infinity|undefined/);
          if (drawing.type !== 'picture') continue;
          const svg = svgOf(drawing, context.widthPx);
          // ECharts writes into it for a text that is `__proto__`.
          expect(Object.keys(Object.prototype)).toEqual([]);
          expect(svg).toMatch(/^<svg .*<\/svg>$/s);
          expect(svg).not.toMatch(/NaN|Infinity|undefined|<script|<img/);
          const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(
            (match) => [...(match[1] ?? '')].length,
          );
          expect(Math.max(0, ...texts)).toBeLessThanOrEqual(mostCharacters);
        }
      }
    },
    60_000,
  );

  it('reads every tooltip as rich text', () => {
    const [, rowsOf] = worlds[0] ?? ['', () => []];
    for (const context of contexts) {
      for (const drawing of chart.draw(rowsOf(chart), context)) {
        if (drawing.type !== 'picture') continue;
        expect(drawing.option.tooltip).toMatchObject({ renderMode: 'richText' });
      }
    }
  });
});
