// ECharts leaves out in silence what is not built in: every chart draws with the parts that the build takes along.
import { MarkAreaComponent, MarkLineComponent, MarkPointComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { echartsParts } from '../../src/reporting/dashboard/browser/echarts-parts.ts';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import type { Chart, Column, DrawContext, Row } from '../../src/reporting/dashboard/charts/chart.ts';
import { lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';

const said: string[] = [];

beforeAll(() => {
  use([...echartsParts, SVGRenderer]);
});

beforeEach(() => {
  said.length = 0;
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((text: unknown) => {
      said.push(String(text));
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

const context: DrawContext = {
  language: 'en',
  palette: lightPalette,
  period: { from: '2026-03-01', to: '2026-03-31' },
  compare: { from: '2026-01-29', to: '2026-02-28' },
  markers: [{ date: '2026-03-03', type: 'note', title: 'New site' }],
  changes: [],
  gaps: {},
  clientKey: 'a/1',
  widthPx: 800,
};

function valueIn({ kind, words }: Column, row: number): string {
  if (kind === 'date') return `2026-0${2 + (row % 2)}-${10 + (row % 18)}`;
  if (kind === 'text') return Object.keys(words ?? {})[row % 3] ?? `text ${row % 4}`;
  if (kind === 'flag') return row % 2 === 0 ? 'true' : 'false';
  return kind === 'rate' ? '0.4' : String(10 + row);
}

const rowsOf = ({ columns }: Chart): readonly Row[] =>
  Array.from({ length: 24 }, (_, row) => columns.map((column) => valueIn(column, row)));

function draw(option: object): void {
  const picture = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 300 });
  picture.setOption({ ...option, aria: { enabled: true } });
  picture.renderToSVGString();
  picture.dispose();
}

it.each(charts.map((chart) => [chart.name, chart] as const))('%s', (_, chart) => {
  for (const drawing of chart.draw(rowsOf(chart), context))
    if (drawing.type === 'picture') draw(drawing.option);
  expect(said).toEqual([]);
});

// Of these not even a word is said.
it.each([
  ['markLine', MarkLineComponent],
  ['markArea', MarkAreaComponent],
  ['markPoint', MarkPointComponent],
])('%s of a series', (name, part) => {
  const isUsed = charts.some((chart) =>
    chart.draw(rowsOf(chart), context).some((drawing) => JSON.stringify(drawing).includes(`"${name}":`)),
  );
  expect(!isUsed || echartsParts.includes(part)).toBe(true);
});

it('would be seen', () => {
  draw({ series: [{ type: 'pie', data: [1] }] });
  draw({ title: { text: 'x' } });
  expect(said.join()).toMatch(/PieChart.*TitleComponent/s);
});
