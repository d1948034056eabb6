// Lines over time with the interval around each: the first in blue, others grey and named at their ends.

import { inLanguage } from '../../../core/api-words.ts';
import { cutText } from '../../../core/text.ts';
import { dateTicks, tickText, valueAxis } from './axes.ts';
import type { Fields, Language, Marker, Period, Trend, Words } from './chart.ts';
import { columnOf } from './columns.ts';
import { dayOf } from './dates.ts';
import { fill, formatDate, formatTick, formatValue } from './format.ts';
import { unknownWord } from './tell.ts';
import { h, type Picture, type Tree } from './tree.ts';

export interface DrawContext {
  readonly language: Language;
  readonly period: Period;
  readonly markers: readonly Marker[];
  readonly label: string;
}

export interface Point {
  readonly date: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export type Direction = 'rose' | 'fell';

export interface Line {
  readonly name: string;
  /** Colours a clear change. Undefined: the first line is the brand's, in blue, and others are calm. */
  readonly direction?: Direction | 'calm';
  /** Ordered by date. */
  readonly points: readonly Point[];
}

export function seriesName(word: string | null, column: string | undefined, language: Language): string {
  if (word === null) return unknownWord({ gaps: {}, language });
  return column !== undefined && columnOf(column).kind === 'word' ? inLanguage(word, language) : word;
}

/** Returns the lines, the greatest newest value first. */
export function linesOf(rows: readonly Fields[], form: Trend, language: Language): Line[] {
  const lines = new Map<string, Point[]>();
  const number = (row: Fields, name: string | undefined) => (name === undefined ? null : row.number(name));
  for (const row of rows) {
    const [date, value] = [row.text(form.date)?.slice(0, 10), row.number(form.value)];
    const isExcluded = form.excluded !== undefined && row.text(form.excluded) !== null;
    if (date === undefined || value === null || isExcluded) continue;
    const name = seriesName(form.series === undefined ? '' : row.text(form.series), form.series, language);
    const points = lines.get(name) ?? [];
    lines.set(name, points);
    points.push({ date, value, low: number(row, form.low), high: number(row, form.high) });
  }
  return [...lines]
    .map(([name, points]) => ({ name, points }))
    .sort((one, other) => (other.points.at(-1)?.value ?? 0) - (one.points.at(-1)?.value ?? 0));
}

/** Undefined if no point has a value. */
export function drawTrend(rows: readonly Fields[], form: Trend, context: DrawContext): Picture | undefined {
  const lines = linesOf(rows, form, context.language);
  return drawLines(lines, { ...context, value: form.value, excluded: excludedOf(rows, form) });
}

interface LinesContext extends DrawContext {
  readonly value: string;
  readonly excluded?: readonly ExcludedPoint[];
  /** Ends of the date axis. Default: from the first point to the end of the period. */
  readonly span?: Period;
  readonly fromZero?: boolean;
  /** Dashed lines for the means that a verdict compares, each from one day to another. */
  readonly means?: readonly (Period & { readonly value: number })[];
  readonly behind?: readonly Point[];
  /** Leaves room for names at its end, to align with the picture below. */
  readonly isNamed?: boolean;
  /** Total in grey, for a small picture beside others like it, all from 0 to 1. */
  readonly together?: readonly Point[];
}

type ExcludedPoint = Point & { readonly reason: string };

/** With more points than this, only points that stand alone get circles. */
const mostCircles = 30;
const mostNamed = 12;
const mostDates = 6;
const [usualHeightPx, smallHeightPx] = [176, 104];

export function drawLines(lines: readonly Line[], context: LinesContext): Picture | undefined {
  const { language, markers, excluded = [], means = [], behind = [], together } = context;
  const isSmall = together !== undefined;
  const heightPx = isSmall ? smallHeightPx : usualHeightPx;
  const all = [...lines.flatMap(({ points }) => points), ...excluded, ...behind];
  if (all.length === 0) return undefined;
  const { kind } = columnOf(context.value);
  const values = [...all, ...means.map(({ value }) => ({ value, low: null, high: null }))].flatMap(
    ({ value, low, high }) => [value, low ?? value, high ?? value],
  );
  const axis = isSmall
    ? { min: 0, max: 1, ticks: [0, 0.5, 1] }
    : valueAxis(values, kind, 4, context.fromZero);
  const span = context.span ?? spanOf(all, context.period);
  const { x, y, path, area } = scalesOf(span, axis, heightPx);
  const say = (line: string, { date, value, low, high }: Point) => {
    const text = (one: number) => formatValue(String(one), kind, language);
    const range = low === null || high === null ? '' : ` (${text(low)} – ${text(high)})`;
    return `${line === '' ? '' : `${line}, `}${formatDate(date, language)}: ${text(value)}${range}`;
  };
  const grid = axis.ticks.map((tick) =>
    h(tick === 0 ? 'line.g0' : 'line.g', { x1: 0, x2: '100%', y1: y(tick), y2: y(tick) }),
  );
  const pins = markers
    .filter((one) => one.date >= span.from && one.date <= span.to)
    .map(({ date }) => h('line.pin', { x1: x(date), x2: x(date), y1: 0, y2: heightPx }));
  const dashed = means
    .filter(({ from, to }) => to > span.from && from < span.to)
    .map(({ from, to, value }) => {
      const ends = { x1: x(from < span.from ? span.from : from), x2: x(to > span.to ? span.to : to) };
      return h('line.mean', { ...ends, y1: y(value), y2: y(value) });
    });
  const bands = runsOf(behind).map((run) => h('path.b.calm', { d: area(run) }));
  const strokes = runsOf(together ?? []).map((run) => h('path.l.calm', { d: path(run) }));
  const points: Tree[] = [];
  const isOne = lines.length === 1;
  // Draws the first ones last, on top of the others.
  for (const [place, line] of [...lines.entries()].reverse()) {
    const look = line.direction ?? (place === 0 ? '' : 'calm');
    for (const run of runsOf(line.points)) {
      const banded = run.filter(({ low, high }) => low !== null && high !== null);
      if (banded.length > 1 && look === '') bands.push(h('path.b', { d: area(banded) }));
      if (run.length > 1) strokes.push(h('path', { class: `l ${look}`.trim(), d: path(run) }));
      if (run.length === 1 && look === '') points.push(...run.flatMap((point) => whisker(point, x, y)));
      if (line.points.length > mostCircles && run.length > 1) continue;
      if (!isOne && run.length > 1) continue;
      for (const point of run) points.push(dot(x(point.date), y(point.value), look, say(line.name, point)));
    }
    const last = line.points.at(-1);
    if (last === undefined) continue;
    points.push(dot(x(last.date), y(last.value), look, say(line.name, last)));
    if (isOne && !isSmall)
      points.push(textAt(x(last.date), y(last.value), tickText(last.value, kind, language), 'ae strong', 8));
  }
  for (const { reason, ...point } of excluded) {
    points.push(
      dot(x(point.date), y(point.value), 'o', `${say('', point)}, ${inLanguage(reason, language)}`),
    );
  }
  const dates = isSmall
    ? [span.from, span.to].map((date, place) =>
        textAt(x(date), heightPx + 17, formatTick(date, span, language), place === 0 ? 'ae' : 'ay'),
      )
    : dateTicks(span, mostDates, language).map(({ date, text }, place) =>
        textAt(x(date), heightPx + 17, text, place % 2 === 0 ? 'ax' : 'ax alt'),
      );
  const ticks = axis.ticks.map((tick) =>
    isSmall
      ? textAt(
          '100%',
          y(tick) + (tick === axis.max ? 13 : -4),
          tick === 0 ? '' : tickText(tick, kind, language),
          'ay',
        )
      : textAt('0%', y(tick), tickText(tick, kind, language), 'ay', -8),
  );
  const stretched = { width: '100%', height: heightPx, viewBox: `0 0 ${unitsWide} ${heightPx}` };
  const label = [
    context.label,
    ...lines.slice(0, mostNamed).map((line) => courseOf(line, kind, language)),
  ].join(' ');
  return {
    heightPx,
    ...((!isOne || context.isNamed === true) && { kind: 'names' }),
    label,
    nodes: [
      ...grid,
      ...pins,
      ...dashed,
      h('svg', { ...stretched, preserveAspectRatio: 'none' }, ...bands, ...strokes),
      ...ticks,
      ...dates,
      ...points,
      ...(isOne ? [] : endNames(lines.slice(0, mostNamed), y, heightPx)),
    ],
  };
}

const unitsWide = 1000;

/** Scales for days and values: in percent of the width for points and texts, in its units for shapes. */
export function scalesOf(
  span: Period,
  axis: { readonly min: number; readonly max: number },
  heightPx: number,
) {
  const [first, last] = [dayOf(span.from), dayOf(span.to)];
  const part = (date: string) => (last === first ? 0.5 : (dayOf(date) - first) / (last - first));
  const x = (date: string) => `${round(part(date) * 100)}%`;
  const y = (value: number) => round((1 - (value - axis.min) / (axis.max - axis.min)) * heightPx);
  const along = (points: readonly Point[], of: (point: Point) => number) =>
    points.map((point) => `${round(part(point.date) * unitsWide)} ${y(of(point))}`).join('L');
  return {
    x,
    y,
    path: (run: readonly Point[]) => `M${along(run, ({ value }) => value)}`,
    area: (run: readonly Point[]) =>
      `M${along(run, ({ high, value }) => high ?? value)}L${along(run.toReversed(), ({ low, value }) => low ?? value)}Z`,
  };
}

/** Returns runs of points that a line joins; none crosses missing dates. */
export function runsOf(points: readonly Point[]): Point[][] {
  const steps = points.slice(1).map(({ date }, place) => dayOf(date) - dayOf(points[place]?.date ?? ''));
  // A step longer than the usual one, the median, is a gap.
  const usual = steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 1;
  const runs: Point[][] = [];
  for (const [place, point] of points.entries()) {
    const run = runs.at(-1);
    if (run === undefined || (steps[place - 1] ?? 0) > usual * 1.5) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

export function excludedOf(rows: readonly Fields[], form: Trend): ExcludedPoint[] {
  return rows.flatMap((row) => {
    const [reason, date, value] = [
      row.text(form.excluded ?? ''),
      row.text(form.date),
      row.number(form.value),
    ];
    return reason === null || date === null || value === null
      ? []
      : [{ date, value, low: null, high: null, reason }];
  });
}

/** Returns the span from the first date with a value to the end of the period, to leave out unknown dates. */
function spanOf(points: readonly Point[], { to }: Period): Period {
  const dates = points.map(({ date }) => date).sort();
  const [first = to, last = to] = [dates[0], dates.at(-1)];
  return { from: first, to: last > to ? last : to };
}

const mostCharacters = 17;

/** Writes names beside the last points, moved apart where they would overlap. */
function endNames(lines: readonly Line[], y: (value: number) => number, heightPx: number): Tree[] {
  const ends = lines
    .map((line) => ({ line, at: y(line.points.at(-1)?.value ?? 0) }))
    .sort((one, other) => one.at - other.at);
  for (const [place, end] of ends.entries()) {
    const above = ends[place - 1];
    if (above !== undefined) end.at = Math.max(end.at, above.at + 14);
  }
  // The lowest one pushes those above it up again.
  for (const [place, end] of [...ends.entries()].reverse()) {
    end.at = Math.min(end.at, ends[place + 1] === undefined ? heightPx : (ends[place + 1]?.at ?? 0) - 14);
  }
  return ends.map(({ line, at }) =>
    textAt('100%', at, cutText(line.name, mostCharacters), `ae ${line.direction ?? ''}`.trim(), 8),
  );
}

/** `ChatGPT: 31 % on 2 Nov 2026, 28 % on 23 Nov 2026.` */
function courseOf(
  { name, points }: Line,
  kind: ReturnType<typeof columnOf>['kind'],
  language: Language,
): string {
  const on: Words = 'on';
  const ends = points.length > 1 ? [points[0], points.at(-1)] : points;
  const said = ends.flatMap((point) =>
    point === undefined
      ? []
      : `${formatValue(String(point.value), kind, language)} ${fill(on, language)} ${formatDate(point.date, language)}`,
  );
  return `${name === '' ? '' : `${name}: `}${said.join(', ')}.`;
}

/** @param look class of the style sheet: `ay` ends at x, `ax` is centred on it, `ae` begins there */
export function textAt(x: string, y: number, text: string, look: string, dx?: number): Tree {
  return h('text', { class: look, x, y: round(y), ...(dx !== undefined && { dx, dy: 4 }) }, text);
}

function dot(cx: string, cy: number, look: string, said: string): Tree {
  return h('circle', { class: `d ${look}`.trim(), cx, cy, r: 3 }, h('title', said));
}

function whisker(
  { date, low, high }: Point,
  x: (date: string) => string,
  y: (value: number) => number,
): Tree[] {
  if (low === null || high === null) return [];
  return [h('line.ci', { x1: x(date), x2: x(date), y1: y(high), y2: y(low) })];
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
