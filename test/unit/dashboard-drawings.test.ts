// What is drawn: axes that fit the data, true distances, bars from zero, no line across what is missing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTicks, valueAxis } from '../../src/reporting/dashboard/charts/axes.ts';
import { revenue } from '../../src/reporting/dashboard/charts/business.ts';
import type { Bars, Trend } from '../../src/reporting/dashboard/charts/chart.ts';
import { drawBars } from '../../src/reporting/dashboard/charts/draw-bars.ts';
import { drawTrend } from '../../src/reporting/dashboard/charts/draw-trend.ts';
import { darkPalette, inkOn, lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';
import { type Picture, type SvgNode, svgText } from '../../src/reporting/dashboard/charts/svg.ts';
import { markerText } from '../../src/reporting/dashboard/charts/tell.ts';
import { drawContext, fields } from '../support/draw-context.ts';

const trend: Trend = {
  as: 'trend',
  date: 'week_date',
  value: 'mention_rate',
  series: 'engine',
  low: 'low_rate',
  high: 'high_rate',
};
const bars: Bars = {
  as: 'bars',
  name: 'competitor_name',
  value: 'share_rate',
  low: 'low_rate',
  high: 'high_rate',
  own: 'is_own',
};

function nodesOf(picture: Picture | undefined, tag: string): SvgNode[] {
  return (picture?.nodes ?? []).filter((node) => node.tag === tag);
}

const lines = (picture: Picture | undefined) =>
  nodesOf(picture, 'path').filter(({ attributes }) => attributes['fill'] === 'none');
const texts = (picture: Picture | undefined) =>
  nodesOf(picture, 'text').map(({ children }) => String(children[0]));

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

describe('dates below an axis', () => {
  it.each([
    ['2026-03-01', '2026-03-06'],
    ['2026-03-01', '2026-03-28'],
    ['2025-03-01', '2026-03-01'],
    ['2023-01-01', '2026-03-01'],
    ['2026-03-01', '2026-03-01'],
  ])('from %s to %s are few, and within', (from, to) => {
    const ticks = dateTicks({ from, to }, 6, 'en');
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(7);
    for (const { day } of ticks) {
      expect(day).toBeGreaterThanOrEqual(Date.parse(from) / 86_400_000);
      expect(day).toBeLessThanOrEqual(Date.parse(to) / 86_400_000);
    }
  });
});

describe('a trend', () => {
  const weeks = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-04-06', '2026-04-13'];
  const rows = (engine: string, value: number) =>
    weeks.map((week_date) => ({
      week_date,
      engine,
      mention_rate: String(value),
      low_rate: String(value - 0.1),
      high_rate: String(value + 0.1),
    }));

  it('ends with the period that a value is counted over, and goes on where periods share days', () => {
    const amount = (run_date: string, from: string, to: string) => {
      return {
        run_date,
        revenue_amount: '100',
        period_start_date: from,
        period_end_date: to,
        currency_code: 'EUR',
      };
    };
    const month = [
      amount('2026-10-30', '2026-10-01', '2026-10-30'),
      amount('2026-10-31', '2026-10-01', '2026-10-31'),
      amount('2026-11-01', '2026-11-01', '2026-11-01'),
      amount('2026-11-02', '2026-11-01', '2026-11-02'),
    ];
    const [form] = revenue.forms;
    if (form?.as !== 'trend') throw new Error('no trend');
    const period = { from: '2026-10-30', to: '2026-11-02' };
    expect(lines(drawTrend(fields(month), form, drawContext({ period })))).toHaveLength(2);
    const rolling = month.map((row, place) => ({ ...row, period_start_date: `2026-10-0${place + 1}` }));
    expect(lines(drawTrend(fields(rolling), form, drawContext({ period })))).toHaveLength(1);
  });

  it('says of an event what happened, in the language of the page', () => {
    const action = {
      date: '2026-03-10',
      type: 'action',
      title: 'Guía',
      detail: 'hecha (before: en_curso)',
    } as const;
    expect(markerText(action, 'es')).toBe('Guía: hecha (antes: en curso)');
    expect(markerText({ ...action, detail: 'created' }, 'en')).toBe('Guía: created');
    const method = {
      ...action,
      type: 'method_change',
      title: 'By v2',
      titleEs: 'Por v2',
      detail: 'before: v1',
    } as const;
    expect(markerText(method, 'es')).toBe('Por v2: (antes: v1)');
    expect(markerText({ ...action, type: 'alert', detail: 'a (b)' }, 'en')).toBe('Guía: a (b)');
  });

  it('has true distances, and no line where weeks are missing', () => {
    const picture = drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext());
    expect(lines(picture)).toHaveLength(2);
    const at = nodesOf(picture, 'circle').map(({ attributes }) => Number(attributes['cx']));
    const [first = 0, second = 0, third = 0, fourth = 0] = at;
    expect(second - first).toBeCloseTo(third - second, 0);
    expect(fourth - third).toBeCloseTo(3 * (second - first), 0);
  });

  it('has a band where the interval is known, and none where nobody states it', () => {
    const bands = (picture: Picture | undefined) =>
      nodesOf(picture, 'path').filter(({ attributes }) => attributes['class'] === 'band');
    expect(bands(drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext()))).toHaveLength(2);
    const unstated = rows('chatgpt', 0.5).map((row) => ({ ...row, low_rate: null, high_rate: null }));
    expect(bands(drawTrend(fields(unstated), trend, drawContext()))).toHaveLength(0);
  });

  it('names six at their ends, apart from each other, and leaves the rest grey', () => {
    const many = Array.from({ length: 9 }, (_, place) => rows(`engine ${place}`, 0.5 + place / 1000)).flat();
    const picture = drawTrend(fields(many), trend, drawContext());
    const named = nodesOf(picture, 'text').filter(({ children }) => String(children[0]).startsWith('engine'));
    expect(named).toHaveLength(6);
    const places = named.map(({ attributes }) => Number(attributes['y'])).sort((a, b) => a - b);
    for (const [place, y] of places.slice(1).entries())
      expect(y - (places[place] ?? 0)).toBeGreaterThanOrEqual(13.9);
    const colours = lines(picture).map(({ attributes }) => attributes['stroke']);
    expect(colours.filter((colour) => colour === lightPalette.rest)).toHaveLength(3 * 2);
    expect(new Set(colours).size).toBe(7);
  });

  it('marks events within its dates, and says what they are', () => {
    const markers = [
      { date: '2026-03-05', type: 'note', title: 'New <site>' },
      { date: '2025-03-05', type: 'action', title: 'Before' },
    ] as const;
    const picture = drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext({ markers }));
    const events = nodesOf(picture, 'path').filter(({ attributes }) => attributes['class'] === 'event');
    expect(events).toHaveLength(1);
    const svg = picture === undefined ? '' : svgText(picture);
    expect(svg).toContain('5 Mar 2026: note: New &lt;site&gt;');
    expect(svg).not.toContain('<site>');
  });

  it('leaves points of no trend out of the line', () => {
    const excluded: Trend = { as: 'trend', date: 'date', value: 'score', excluded: 'excluded_reason' };
    const points = fields([
      { date: '2026-03-02', score: '40', excluded_reason: null },
      { date: '2026-03-03', score: '80', excluded_reason: 'one_off' },
      { date: '2026-03-04', score: '42', excluded_reason: null },
    ]);
    const picture = drawTrend(points, excluded, drawContext());
    expect(picture === undefined ? '' : svgText(picture)).toContain('80, one-off measurement');
    expect(nodesOf(picture, 'circle')).toHaveLength(3);
    expect(
      nodesOf(picture, 'circle').filter(({ attributes }) => attributes['fill'] === lightPalette.background),
    ).toHaveLength(1);
  });

  it('tells readers without sight where each line begins and ends', () => {
    const picture = drawTrend(fields(rows('chatgpt', 0.5)), trend, drawContext({ label: 'Named.' }));
    expect(picture?.label).toBe('Named. ChatGPT: 50 % on 2 Mar 2026, 50 % on 13 Apr 2026.');
  });

  it('stays within a narrow screen', () => {
    for (const widthPx of [300, 340, 1200]) {
      const long = rows('an engine with a very long name', 0.5).concat(rows('gemini', 0.2));
      const picture = drawTrend(fields(long), trend, drawContext({ widthPx }));
      for (const { attributes } of nodesOf(picture, 'circle')) {
        expect(Number(attributes['cx'])).toBeGreaterThan(0);
        expect(Number(attributes['cx'])).toBeLessThan(widthPx);
      }
    }
  });
});

describe('bars', () => {
  const rows = [
    { competitor_name: 'Luna', is_own: 'true', share_rate: '0.4', low_rate: '0.3', high_rate: '0.5' },
    { competitor_name: 'Sol', is_own: 'false', share_rate: '0.2', low_rate: null, high_rate: null },
    { competitor_name: 'Mar', is_own: 'false', share_rate: null, low_rate: null, high_rate: null },
  ];
  it('are as long as their values, the own one in the accent, and none for what is not known', () => {
    const picture = drawBars(fields(rows), bars, drawContext());
    const drawn = nodesOf(picture, 'rect').map(({ attributes }) => attributes);
    expect(drawn).toHaveLength(2);
    expect(Number(drawn[0]?.['width'])).toBeCloseTo(2 * Number(drawn[1]?.['width']), 5);
    expect(drawn.map((one) => one['fill'])).toEqual([lightPalette.series[0], lightPalette.rest]);
    expect(texts(picture)).toContain('not known');
    expect(lines(picture)).toHaveLength(1);
  });
});

describe('colours', () => {
  it.each([
    ['light', lightPalette],
    ['dark', darkPalette],
  ] as const)(
    'in %s have an ink that can be read on each step, and good is never what bad is',
    (_, palette) => {
      for (const colour of palette.scale) expect(['#000000', '#ffffff']).toContain(inkOn(colour));
      expect(palette.series).toHaveLength(6);
      expect(palette.good).not.toBe(palette.bad);
      // More green than red: orange has more red.
      const [red, green] = [1, 3].map((at) => Number.parseInt(palette.good.slice(at, at + 2), 16));
      expect(green).toBeGreaterThan(red ?? 0);
    },
  );
});
