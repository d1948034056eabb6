// Lines over time with the interval around each: six in colour and named at their ends, the rest grey.
import { inLanguage } from '../../../core/api-words.ts';
import { dateTicks, tickText, valueAxis } from './axes.ts';
import type { Fields, Language, Marker, Period, Trend, Words } from './chart.ts';
import { columnOf } from './columns.ts';
import { dayOf } from './dates.ts';
import { cutText, formatDate, formatValue } from './format.ts';
import type { Palette } from './palette.ts';
import { node, type Picture, type SvgNode } from './svg.ts';
import { markerText, unknownWord } from './tell.ts';

export interface DrawContext {
  readonly language: Language;
  readonly palette: Palette;
  readonly period: Period;
  readonly markers: readonly Marker[];
  /** What the picture shows, for screen readers. */
  readonly label: string;
  readonly widthPx: number;
}

export interface Point {
  readonly date: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** First and last day that it is counted over, where they are known. */
  readonly counted?: readonly [from: string | null, to: string | null] | undefined;
}

export interface Line {
  readonly name: string;
  readonly isOwn: boolean;
  /** In the order of their dates. */
  readonly points: readonly Point[];
}

/** The client's own first, then those with the greatest newest value. */
export function linesOf(rows: readonly Fields[], form: Trend, language: Language): Line[] {
  const kind = form.series === undefined ? 'text' : columnOf(form.series).kind;
  const lines = new Map<string, { isOwn: boolean; points: Point[] }>();
  for (const row of rows) {
    const [date, value] = [row.text(form.date)?.slice(0, 10), row.number(form.value)];
    if (
      date === undefined ||
      value === null ||
      (form.excluded !== undefined && row.text(form.excluded) !== null)
    )
      continue;
    const word = form.series === undefined ? '' : row.text(form.series);
    const name =
      word === null
        ? unknownWord({ gaps: {}, language })
        : kind === 'word'
          ? inLanguage(word, language)
          : word;
    const line = lines.get(name) ?? {
      isOwn: form.own !== undefined && row.flag(form.own) === true,
      points: [],
    };
    lines.set(name, line);
    line.points.push({
      date,
      value,
      low: form.low === undefined ? null : row.number(form.low),
      high: form.high === undefined ? null : row.number(form.high),
      ...(form.counted && { counted: [row.text(form.counted[0]), row.text(form.counted[1])] as const }),
    });
  }
  return [...lines]
    .map(([name, line]) => ({ name, ...line }))
    .sort(
      (one, other) =>
        Number(other.isOwn) - Number(one.isOwn) ||
        (other.points.at(-1)?.value ?? 0) - (one.points.at(-1)?.value ?? 0),
    );
}

const mostColours = 6;
/** More points than these have no circles, unless they stand alone. */
const mostCircles = 60;
const [topPx, bottomPx, plotPx, charPx] = [12, 40, 220, 6.7];

/** Undefined: no point has a value. */
export function drawTrend(rows: readonly Fields[], form: Trend, context: DrawContext): Picture | undefined {
  const { language, palette, widthPx, markers } = context;
  const lines = linesOf(rows, form, language);
  const excluded = excludedOf(rows, form);
  const all = [...lines.flatMap(({ points }) => points), ...excluded];
  if (all.length === 0) return undefined;
  const { kind } = columnOf(form.value);
  const axis = valueAxis(
    all.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
    kind,
    5,
  );
  const span = spanOf(all, context.period);
  const texts = axis.ticks.map((tick) => tickText(tick, kind, language));
  const leftPx = Math.max(...texts.map((text) => text.length)) * charPx + 12;
  const shown = lines.slice(0, mostColours).map(({ name }) => cutText(name, widthPx < 600 ? 12 : 22));
  const rightPx = lines.length > 1 ? Math.max(...shown.map((name) => name.length)) * charPx + 16 : 28;
  const [firstDay, lastDay] = [dayOf(span.from), dayOf(span.to)];
  const x = (day: number) =>
    leftPx +
    (lastDay === firstDay ? 0.5 : (day - firstDay) / (lastDay - firstDay)) * (widthPx - leftPx - rightPx);
  const y = (value: number) => topPx + (1 - (value - axis.min) / (axis.max - axis.min)) * plotPx;
  const nodes: SvgNode[] = [];
  for (const [place, tick] of axis.ticks.entries()) {
    nodes.push(
      node('line', {
        x1: leftPx,
        x2: widthPx - rightPx,
        y1: round(y(tick)),
        y2: round(y(tick)),
        stroke: palette.line,
      }),
      textAt(leftPx - 6, y(tick) + 4, texts[place] ?? '', palette.mutedText, 'end'),
    );
  }
  const mostTicks = Math.max(2, Math.floor((widthPx - leftPx - rightPx) / 78));
  for (const { day, text } of dateTicks(span, mostTicks, language)) {
    nodes.push(textAt(x(day), topPx + plotPx + 34, text, palette.mutedText, 'middle'));
  }
  for (const marker of markers.filter((one) => one.date >= span.from && one.date <= span.to)) {
    const { date, type } = marker;
    const at = round(x(dayOf(date)));
    const text = `${inLanguage(type, language)}: ${markerText(marker, language)}`;
    const said = node('title', {}, `${formatDate(date, language)}: ${text}`);
    const base = topPx + plotPx + 16;
    nodes.push(
      node('path', { d: `M${at - 4} ${base}h8l-4 -8z`, fill: palette.mutedText, class: 'event' }, said),
    );
  }
  const say = (line: string, { date, value, low, high }: Point) => {
    const text = (one: number) => formatValue(String(one), kind, language);
    const range = low === null || high === null ? '' : ` (${text(low)} – ${text(high)})`;
    return `${line === '' ? '' : `${line}, `}${formatDate(date, language)}: ${text(value)}${range}`;
  };
  // The first ones are drawn last, on top of the others.
  for (const [place, line] of [...lines.entries()].reverse()) {
    const colour = place < mostColours ? (palette.series[place] ?? palette.rest) : palette.rest;
    for (const run of runsOf(line.points)) {
      const path = (one: (point: Point) => number, some: readonly Point[]) =>
        some.map((point) => `${round(x(dayOf(point.date)))} ${round(y(one(point)))}`).join('L');
      const banded = run.filter(({ low, high }) => low !== null && high !== null);
      if (banded.length > 1 && place < mostColours) {
        const d = `M${path(({ high, value }) => high ?? value, banded)}L${path(({ low, value }) => low ?? value, banded.toReversed())}Z`;
        nodes.push(node('path', { d, fill: colour, 'fill-opacity': 0.12, class: 'band' }));
      }
      const dash = dashes[place % dashes.length];
      nodes.push(
        node('path', {
          d: `M${path(({ value }) => value, run)}`,
          fill: 'none',
          stroke: colour,
          'stroke-width': place < mostColours ? 2 : 1,
          ...(dash !== undefined && place < mostColours && { 'stroke-dasharray': dash }),
        }),
      );
      if (line.points.length > mostCircles && run.length > 1) continue;
      for (const point of run) {
        nodes.push(circle(x(dayOf(point.date)), y(point.value), colour, colour, say(line.name, point)));
      }
    }
  }
  for (const { reason, ...point } of excluded) {
    const said = `${say('', point)}, ${inLanguage(reason, language)}`;
    nodes.push(circle(x(dayOf(point.date)), y(point.value), palette.background, palette.mutedText, said));
  }
  if (lines.length > 1) nodes.push(...endNames(lines, shown, y, context, rightPx));
  const label = [
    context.label,
    ...lines.slice(0, mostColours).map((line) => courseOf(line, form, language)),
  ].join(' ');
  return { widthPx, heightPx: topPx + plotPx + bottomPx, label, nodes };
}

/** Told apart without colour. */
const dashes = [undefined, '6 3', '2 3', '9 3 2 3', '1 4', '12 4'];

function runsOf(points: readonly Point[]): Point[][] {
  const steps = points.slice(1).map(({ date }, place) => dayOf(date) - dayOf(points[place]?.date ?? ''));
  // No line crosses dates that are missing: more than the usual step, which is the median.
  const usual = steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 1;
  const runs: Point[][] = [];
  for (const [place, point] of points.entries()) {
    const run = runs.at(-1);
    const [begins, ended] = [point.counted?.[0], points[place - 1]?.counted?.[1]];
    const isAnew = begins != null && ended != null && begins > ended;
    if (run === undefined || isAnew || (steps[place - 1] ?? 0) > usual * 1.5) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

function excludedOf(rows: readonly Fields[], form: Trend): (Point & { readonly reason: string })[] {
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

/** From the first date with a value to the end of the period: nothing is drawn where nothing is known yet. */
function spanOf(points: readonly Point[], { to }: Period): Period {
  const dates = points.map(({ date }) => date).sort();
  const [first = to, last = to] = [dates[0], dates.at(-1)];
  return { from: first, to: last > to ? last : to };
}

/** Beside the last points, moved apart where they would stand on each other. */
function endNames(
  lines: readonly Line[],
  names: readonly string[],
  y: (value: number) => number,
  { palette, widthPx }: DrawContext,
  rightPx: number,
): SvgNode[] {
  const ends = names
    .map((name, place) => ({ name, place, at: y(lines[place]?.points.at(-1)?.value ?? 0) }))
    .sort((one, other) => one.at - other.at);
  for (const [place, end] of ends.entries()) {
    const above = ends[place - 1];
    if (above !== undefined) end.at = Math.max(end.at, above.at + 14);
  }
  const over = (ends.at(-1)?.at ?? 0) - (topPx + plotPx);
  return ends.map(({ name, place, at }) =>
    textAt(
      widthPx - rightPx + 8,
      at - Math.max(0, over) + 4,
      name,
      palette.series[place] ?? palette.text,
      'start',
    ),
  );
}

/** `ChatGPT: 31 % on 2 Nov 2026, 28 % on 23 Nov 2026.` */
function courseOf({ name, points }: Line, { value }: Trend, language: Language): string {
  const { kind } = columnOf(value);
  const on: Words = { en: 'on', es: 'el' };
  const ends = points.length > 1 ? [points[0], points.at(-1)] : points;
  const said = ends.flatMap((point) =>
    point === undefined
      ? []
      : `${formatValue(String(point.value), kind, language)} ${on[language]} ${formatDate(point.date, language)}`,
  );
  return `${name === '' ? '' : `${name}: `}${said.join(', ')}.`;
}

export function textAt(
  x: number,
  y: number,
  text: string,
  fill: string,
  anchor: 'start' | 'middle' | 'end',
): SvgNode {
  return node('text', { x: round(x), y: round(y), fill, 'text-anchor': anchor }, text);
}

function circle(cx: number, cy: number, fill: string, stroke: string, said: string): SvgNode {
  return node(
    'circle',
    { cx: round(cx), cy: round(cy), r: 3.5, fill, stroke, 'stroke-width': 1.5 },
    node('title', {}, said),
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
