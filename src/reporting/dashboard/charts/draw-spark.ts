// A share by week as a line in a table row, with its interval; all rows have the same scale and weeks.
import type { Fields, Period } from './chart.ts';
import { type Direction, type Point, runsOf, scalesOf } from './draw-trend.ts';
import { h, type Tree } from './tree.ts';

/** Reads values between spaces, `-` for a missing one: the form in which statements give lines. */
export function pointsOf(
  weeks: string | null,
  values: string | null,
  lows: string | null,
  highs: string | null,
): Point[] {
  const [value, low, high] = [values, lows, highs].map((text) => (text ?? '').split(' '));
  return (weeks ?? '').split(' ').flatMap((date, place) => {
    const number = (list: readonly string[] | undefined) => {
      const text = list?.[place] ?? '-';
      return text === '-' || text === '' ? null : Number(text);
    };
    const one = number(value);
    return date === '' || one === null ? [] : [{ date, value: one, low: number(low), high: number(high) }];
  });
}

/** Returns the shares by week from a row of the standings. */
export function sharesOf(row: Fields): Point[] {
  const line = (name: string) => row.text(`mention_${name}`);
  return pointsOf(line('weeks'), line('line'), line('low_line'), line('high_line'));
}

const [widthPx, heightPx] = [152, 38];

/** @param most greatest value in any row */
export function drawSpark(
  points: readonly Point[],
  {
    span,
    most,
    direction,
    label,
  }: { span: Period; most: number; direction: Direction | undefined; label: string },
): Tree {
  const { path, area, x, y } = scalesOf(span, { min: 0, max: most }, heightPx);
  const shapes = runsOf(points).flatMap((run) => [
    ...(run.length > 1 && run.every(({ low, high }) => low !== null && high !== null)
      ? [h('path.b', { d: area(run) })]
      : []),
    ...(run.length > 1 ? [h('path', { class: `l ${direction ?? ''}`.trim(), d: path(run) })] : []),
  ]);
  const last = points.at(-1);
  return h(
    'svg',
    { class: 'spark', width: widthPx, height: heightPx, role: 'img', 'aria-label': label },
    h(
      'svg',
      { width: '100%', height: heightPx, viewBox: `0 0 1000 ${heightPx}`, preserveAspectRatio: 'none' },
      ...shapes,
    ),
    ...(last === undefined
      ? []
      : [
          h('circle', {
            class: `d ${direction ?? ''}`.trim(),
            cx: x(last.date),
            cy: y(last.value),
            r: 3.5,
          }),
        ]),
  );
}
