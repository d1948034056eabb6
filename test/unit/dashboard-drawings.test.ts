// Checks drawings: axes that fit the data, true distances, bars from zero, no line across what is missing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueAxis } from '../../src/reporting/dashboard/charts/axes.ts';
import { periodsOf } from '../../src/reporting/dashboard/charts/business.ts';
import type { Bars, Trend } from '../../src/reporting/dashboard/charts/chart.ts';
import { drawBars } from '../../src/reporting/dashboard/charts/draw-bars.ts';
import { drawColumns } from '../../src/reporting/dashboard/charts/draw-columns.ts';
import { drawLane, marksOf } from '../../src/reporting/dashboard/charts/draw-marks.ts';
import { drawSpark, pointsOf } from '../../src/reporting/dashboard/charts/draw-spark.ts';
import { drawLines, drawTrend } from '../../src/reporting/dashboard/charts/draw-trend.ts';
import { markerText } from '../../src/reporting/dashboard/charts/tell.ts';
import { type Picture, pictureTree, type Tree, textOf } from '../../src/reporting/dashboard/charts/tree.ts';
import { onlyOne } from '../../src/reporting/dashboard/page/client-forms.ts';
import { drawContext, fields } from '../support/draw-context.ts';

const band = { low: 'low_rate', high: 'high_rate' } as const;
const trend: Trend = { as: 'trend', date: 'week_date', value: 'mention_rate', series: 'engine', ...band };
const bars: Bars = { as: 'bars', name: 'competitor_name', value: 'share_rate', own: 'is_own', ...band };

type Nodes = readonly (Tree | string)[];

/** Finds the nodes with a tag in the picture and in what is nested in it. */
function nodesOf(nodes: Nodes | undefined, tag: string): Tree[] {
  return (nodes ?? []).flatMap((one) =>
    typeof one === 'string' ? [] : [...(one.tag === tag ? [one] : []), ...nodesOf(one.children, tag)],
  );
}

const looks = (picture: Picture | undefined, tag: string, look: string) =>
  nodesOf(picture?.nodes, tag).filter(({ attributes }) =>
    String(attributes['class']).split(' ').includes(look),
  );
const lines = (picture: Picture | undefined) => looks(picture, 'path', 'l');

describe('an axis of values', () => {
  it('holds every value, has round steps, and goes beyond no bound of its kind', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1 }), (thousandths) => {
        const values = thousandths.map((one) => one / 1000);
        const { min, max, ticks } = valueAxis(values, 'rate', 5);
        expect(min).toBeGreaterThanOrEqual(0);
        expect(max).toBeLessThanOrEqual(1);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(min - 1e-9);
        expect(Math.max(...values)).toBeLessThanOrEqual(max + 1e-9);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(max).toBeGreaterThan(min);
      }),
    );
  });

  it('fits the data, and begins at zero for bars', () => {
    expect(valueAxis([52.9, 60.3], 'score', 5)).toMatchObject({ min: 52, max: 62 });
    expect(valueAxis([52.9, 60.3], 'score', 5, true).min).toBe(0);
  });
});

describe('a trend', () => {
  const weeks = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-04-06', '2026-04-13'];
  const rows = (engine: string, value: number) =>
    weeks.map((week_date) => ({
      ...{ week_date, engine, mention_rate: String(value) },
      ...{ low_rate: String(value - 0.1), high_rate: String(value + 0.1) },
    }));

  it('says of an event what happened, in the language of the page', () => {
    const action = { date: '2026-03-10', type: 'action', title: 'Guía', detail: 'created' } as const;
    expect(markerText({ ...action, detail: 'hecha (before: en_curso)' }, 'es')).toEqual([
      'Guía',
      ['acción', 'hecha (antes: en curso)'],
    ]);
    expect(markerText(action, 'en')).toEqual(['Guía', ['action', 'created']]);
    const expectation = { metric: 'AI Rank', from: '51.5', to: '55', observed: null };
    expect(markerText({ ...action, detail: '', expectation }, 'en')[1]).toEqual([
      'action',
      'AI Rank: expected 51.5 → 55',
    ]);
    expect(markerText({ ...action, expectation: { ...expectation, observed: '52' } }, 'es')[1].at(-1)).toBe(
      'AI Rank: esperado 51,5 → 55, observado 52',
    );
  });

  it('is no axis for one date, but says what it waits for', () => {
    const said = (dates: readonly string[], isByWeek = false) => {
      const tree = onlyOne(
        dates.map((date) => ({ date })),
        'en',
        isByWeek,
      );
      return tree && textOf(tree);
    };
    expect(said(['2026-03-02', '2026-03-02'], true)).toContain(
      'Only the week of 2 Mar 2026 so far: a line starts with the week of 9 Mar 2026',
    );
    expect(said(['2026-03-02'])).toContain('Only 2 Mar 2026 so far: a line needs a second date');
    expect([said([]), said(weeks)]).toEqual([undefined, undefined]);
  });

  it('has true distances, and no line where weeks are missing', () => {
    const picture = drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext());
    expect(lines(picture)).toHaveLength(2);
    const at = looks(picture, 'circle', 'd').map(({ attributes }) =>
      Number.parseFloat(String(attributes['cx'])),
    );
    const [first = 0, second = 0, third = 0, fourth = 0] = at;
    expect(second - first).toBeCloseTo(third - second, 0);
    expect(fourth - third).toBeCloseTo(3 * (second - first), 0);
    expect(at.every((one) => one >= 0 && one <= 100)).toBe(true);
  });

  it('names twelve at their ends, apart from each other and within the picture, one in blue and the rest grey', () => {
    const many = Array.from({ length: 14 }, (_, place) => rows(`engine ${place}`, 0.5 + place / 1000)).flat();
    const picture = drawTrend(fields(many), trend, drawContext());
    const named = nodesOf(picture?.nodes, 'text').filter(({ children }) =>
      String(children[0]).startsWith('engine'),
    );
    expect(named).toHaveLength(12);
    const places = named.map(({ attributes }) => Number(attributes['y'])).sort((a, b) => a - b);
    for (const [place, y] of places.slice(1).entries())
      expect(y - (places[place] ?? 0)).toBeGreaterThanOrEqual(13.9);
    expect(places.at(-1)).toBeLessThanOrEqual(picture?.heightPx ?? 0);
    expect(lines(picture)).toHaveLength(14 * 2);
    expect(looks(picture, 'path', 'calm')).toHaveLength(13 * 2);
  });

  it('has a colour for a clear change, and then for nothing else', () => {
    const point = (date: string, value: number) => ({ date, value, low: null, high: null });
    const points = [point('2026-03-02', 40), point('2026-03-09', 30)];
    const two = (['fell', 'calm'] as const).map((direction) => ({ name: direction, points, direction }));
    const picture = drawLines(two, { ...drawContext(), value: 'score' });
    expect(lines(picture).map(({ attributes }) => attributes['class'])).toEqual(['l calm', 'l fell']);
  });

  it('leaves points of no trend out of the line', () => {
    const excluded: Trend = { as: 'trend', date: 'date', value: 'score', excluded: 'excluded_reason' };
    const points = fields([
      { date: '2026-03-02', score: '40', excluded_reason: null },
      { date: '2026-03-03', score: '80', excluded_reason: 'one_off' },
      { date: '2026-03-04', score: '42', excluded_reason: null },
    ]);
    const picture = drawTrend(points, excluded, drawContext());
    expect(picture === undefined ? '' : textOf(pictureTree(picture))).toContain('80, one-off measurement');
    expect(looks(picture, 'circle', 'o')).toHaveLength(1);
  });

  it('tells readers without sight where each line begins and ends', () => {
    const picture = drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext({ label: 'Named.' }));
    expect(picture?.label).toBe('Named. ChatGPT: 50 % on 2 Mar 2026, 50 % on 13 Apr 2026.');
  });
});

const at = (date: string, type: 'action' | 'alert' | 'note' = 'note') => ({
  date,
  type,
  title: `On <${date}>`,
});
const span = { from: '2026-03-01', to: '2026-04-26' };

it('marks are numbered within the period, each kind with its shape, and say what they are', () => {
  const marks = marksOf(
    [at('2026-02-01'), at('2026-03-02', 'action'), at('2026-03-20', 'alert'), at('2026-04-02')],
    span,
  );
  expect(marks.map(({ number }) => number)).toEqual([1, 2, 3]);
  const lane = drawLane(marks, span, 'Marks');
  expect(['circle', 'path', 'rect'].map((tag) => nodesOf(lane?.nodes, tag).length)).toEqual([1, 1, 1]);
  const svg = lane === undefined ? '' : textOf(pictureTree(lane));
  expect(svg).toContain('On &lt;2026-03-20&gt;');
  expect(svg).not.toContain('<2026');
  expect(drawLane([], span, 'Marks')).toBeUndefined();
});

describe('a line in a row', () => {
  const points = pointsOf('2026-03-02 2026-03-09 2026-03-16', '0.1 - 0.3', '0 - 0.2', '0.2 - 0.4');
  it('has no point for a week without a share', () => {
    expect(points.map(({ date, value, low, high }) => [date, value, low, high])).toEqual([
      ['2026-03-02', 0.1, 0, 0.2],
      ['2026-03-16', 0.3, 0.2, 0.4],
    ]);
    expect(pointsOf(null, null, null, null)).toEqual([]);
  });

  it('is drawn from 0, over the weeks of all rows', () => {
    const span = { from: '2026-03-02', to: '2026-03-30' };
    const svg = drawSpark(points, { span, most: 0.6, direction: 'fell', label: 'A' });
    const [end] = nodesOf([svg], 'circle');
    expect(end?.attributes).toMatchObject({ cx: '50%', cy: 19, class: 'd fell' });
  });
});

const rows = [
  { competitor_name: 'Luna', is_own: 'true', share_rate: '0.4', low_rate: '0.3', high_rate: '0.5' },
  { competitor_name: 'Sol', is_own: 'false', share_rate: '0.2', low_rate: null, high_rate: null },
  { competitor_name: 'Mar', is_own: 'false', share_rate: null, low_rate: null, high_rate: null },
];
it('bars are as long as their values, the own one in the accent, and none for what is not known', () => {
  const drawn = drawBars(fields(rows), bars, 'en');
  expect(drawn.map(({ name, isOwn, text }) => [name, isOwn, text])).toEqual([
    ['Luna', true, '40 %'],
    ['Sol', false, '20 %'],
    ['Mar', false, 'not known'],
  ]);
  const widths = drawn.map(({ picture }) => nodesOf(picture?.children, 'rect')[0]?.attributes['width']);
  expect(widths).toEqual(['80%', '40%', undefined]);
  expect(nodesOf(drawn[0]?.picture?.children, 'line')).toHaveLength(5);
});

const of = (period_start_date: string, period_end_date: string, total_amount: string) => ({
  ...{ currency_code: 'EUR', period_start_date, period_end_date, total_amount },
});
it('columns of revenue are as high as their amounts, one a period, and dashed while the period goes on', () => {
  const rows = fields([
    of('2026-09-01', '2026-09-30', '100'),
    of('2026-10-01', '2026-10-31', '200'),
    of('2026-11-01', '2026-11-20', '50'),
  ]);
  const picture = drawColumns([...periodsOf(rows, 'EUR'), ...periodsOf(rows, 'USD')], 'en', 'Revenue.');
  const drawn = nodesOf(picture?.nodes, 'rect').map(({ attributes }) => attributes);
  expect(drawn.map(({ height }) => height)).toEqual([80, 160, 40]);
  expect(drawn.map((one) => one['class'])).toEqual(['whole', 'whole', 'part']);
  expect(picture?.label).toBe('Revenue. Sept: 100, Oct: 200, 1–20 Nov: 50.');
  expect(drawColumns([], 'en', '')).toBeUndefined();
});
