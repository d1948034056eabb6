// What lines over time are made of: gaps, circles, dates moved beside each other, and what a pointer reads.
import { describe, expect, it } from 'vitest';
import type { Column } from '../../src/reporting/dashboard/charts/chart.ts';
import {
  dateOf,
  dayOf,
  mondayOf,
  shiftedOnto,
  usualStepDays,
} from '../../src/reporting/dashboard/charts/dates.ts';
import { formatCell, formatTick } from '../../src/reporting/dashboard/charts/format.ts';
import { linePoints } from '../../src/reporting/dashboard/charts/line-points.ts';
import { dateTooltip } from '../../src/reporting/dashboard/charts/time-axes.ts';
import { polarityOf } from '../../src/reporting/dashboard/charts/two-sides.ts';
import { countsBy } from '../../src/reporting/dashboard/charts/values.ts';
import { drawContext } from '../support/draw-context.ts';

const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
const daily = (...days: number[]) => days.map((day) => ({ date: march(day), value: day }));

describe('a line', () => {
  it('is broken where a date is missing, and where a value is', () => {
    const points = linePoints([...daily(1, 2, 3), { date: march(4), value: null }, ...daily(5, 6, 8)]);
    expect(points.map(({ value }) => value)).toEqual([
      [march(1), 1],
      [march(2), 2],
      [march(3), 3],
      [march(3), null],
      [march(5), 5],
      [march(6), 6],
      [march(6), null],
      [march(8), 8],
    ]);
  });

  it('of one point a week is joined, also where the day of the week differs', () => {
    const values = daily(1, 8, 14, 22, 29);
    expect(linePoints(values)).toHaveLength(values.length);
  });

  it('of many points has circles only where one stands alone', () => {
    const long = Array.from({ length: 100 }, (_, day) => ({ date: dateOf(20_000 + day), value: 1 }));
    const alone = { date: dateOf(20_105), value: 2 };
    const circles = linePoints([...long, alone]).filter(({ symbol }) => symbol === 'circle');
    expect(circles.map(({ value }) => value)).toEqual([[alone.date, 2]]);
    expect(linePoints(long.slice(0, 30)).every(({ symbol }) => symbol === 'circle')).toBe(true);
  });
});

describe('dates', () => {
  it('are counted in days, and no date is none', () => {
    expect(dayOf('1970-01-02')).toBe(1);
    expect(dateOf(dayOf('2024-02-29'))).toBe('2024-02-29');
    expect(dayOf('yesterday')).toBeNaN();
    expect(usualStepDays([march(1), march(2), march(3), march(20)])).toBe(1);
    expect(usualStepDays([])).toBe(1);
  });

  it('of the period beside it stand as far from its beginning', () => {
    const period = { from: '2026-03-01', to: '2026-03-31' };
    const compare = { from: '2025-03-01', to: '2025-03-31' };
    expect(shiftedOnto(period, compare, '2025-03-11')).toBe('2026-03-11');
    expect(shiftedOnto(period, { from: '2026-01-29', to: '2026-02-28' }, '2026-02-28')).toBe('2026-03-31');
  });

  it('begin their week on Monday', () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-08', '1969-12-31'];
    expect(days.map(mondayOf)).toEqual(['2026-02-23', '2026-03-02', '2026-03-02', '1969-12-29']);
    expect(mondayOf('')).toBe('');
  });

  it('on an axis have a year only where there are several', () => {
    expect(formatTick('2026-03-04', { from: march(1), to: march(31) }, 'es')).toBe('4 mar');
    expect(formatTick('2026-03-04', { from: '2024-01-01', to: march(31) }, 'en')).toBe('Mar 2026');
  });
});

describe('a pointer', () => {
  const entry = (seriesName: string, value: unknown, name = '') => ({
    seriesName,
    value,
    name,
    marker: '* ',
  });

  it('reads date, series, value and what is said beside it, and no gap', () => {
    const read = dateTooltip('es')([
      entry('v2', ['2026-03-04', 54.14], 'posición 3'),
      entry('v1', ['2026-03-04', null]),
      entry('Sucesos', undefined),
    ]);
    expect(read).toBe('4 mar 2026\n* v2: 54,1 · posición 3');
    expect(dateTooltip('en')([])).toBe('');
    expect(dateTooltip('en')(undefined)).toBe('');
  });

  it('reads braces of the data as braces', () => {
    const read = dateTooltip('en')([entry('{b|x}', ['2026-03-04', 1])]);
    expect(read).not.toContain('{b|');
    expect(read.replaceAll('\u2060', '')).toContain('{b|x}: 1');
  });
});

it('a value of a fixed list is said in words, any other as it is', () => {
  const column: Column = {
    name: 'change',
    kind: 'text',
    label: { en: 'Change', es: 'Cambio' },
    words: { lost: { en: 'lost', es: 'perdida' } },
  };
  expect(formatCell('lost', column, 'es')).toBe('perdida');
  expect(formatCell('moved', column, 'es')).toBe('moved');
  expect(formatCell('constructor', column, 'es')).toBe('constructor');
  expect(formatCell(null, column, 'es')).toBe('');
});

it('words are counted, the most frequent first, and four of them named', () => {
  const spanish = drawContext({ language: 'es' });
  expect(countsBy(['hecha', 'en_curso', 'hecha', null, ''], 'status', spanish)).toBe(
    ' (hecha 2, en curso 1, sin dato 2)',
  );
  expect(countsBy(['a', 'b', 'c', 'd', 'e'], 'status', drawContext())).toBe(' (a 1, b 1, c 1, d 1, …)');
  const unmapped = drawContext({ gaps: { status: 'not_mapped' } });
  expect(countsBy([null], 'status', unmapped)).toBe(' (not mapped 1)');
});

it('a polarity is known by its words in both languages, and never guessed', () => {
  const words = ['positiva', 'Negative', 'neutro', 'mixta', '0.4', null];
  expect(words.map(polarityOf)).toEqual(['positive', 'negative', 'neutral', 'other', 'other', 'other']);
});
