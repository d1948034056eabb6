// Marks of events on an axis of time: circles, diamonds and squares with the numbers of the event list.
import type { Marker, Period } from './chart.ts';
import { dayOf } from './dates.ts';
import { scalesOf } from './draw-trend.ts';
import { h, type Picture, type Tree } from './tree.ts';

export interface Mark extends Marker {
  readonly number: number;
}

/** Returns the marks of a period, numbered from the oldest. */
export function marksOf(markers: readonly Marker[], { from, to }: Period): readonly Mark[] {
  return markers
    .filter(({ date }) => date >= from && date <= to)
    .map((marker, place) => ({ ...marker, number: place + 1 }));
}

const [rowPx, mostRows] = [26, 3];
/** Marks closer than this share of the width go into separate rows; it is a mark's size on a phone. */
const nearestPart = 0.085;

/**
 * Draws a row of marks above a picture of the same span; undefined if nothing happened. @param isNamed true if the
 * picture names its lines
 */
export function drawLane(
  marks: readonly Mark[],
  span: Period,
  label: string,
  isNamed = false,
): Picture | undefined {
  const shown = marks.filter(({ date }) => date >= span.from && date <= span.to);
  if (shown.length === 0) return undefined;
  const days = Math.max(dayOf(span.to) - dayOf(span.from), 1);
  const last: number[] = [];
  const placed: { marks: Mark[]; row: number }[] = [];
  for (const mark of shown) {
    const at = (dayOf(mark.date) - dayOf(span.from)) / days;
    const row = [...Array(mostRows).keys()].find((one) => at - (last[one] ?? -1) >= nearestPart);
    // Without a free row, marks merge into one with all of their numbers.
    if (row === undefined) placed.at(-1)?.marks.push(mark);
    else placed.push({ marks: [mark], row });
    if (row !== undefined) last[row] = at;
  }
  const { x } = scalesOf(span, { min: 0, max: 1 }, 1);
  const heightPx = last.length * rowPx;
  return {
    heightPx,
    kind: isNamed ? 'lane.names' : 'lane',
    label,
    nodes: placed.flatMap(({ marks: [mark, ...more], row }) => {
      if (mark === undefined) return [];
      const y = rowPx / 2 + row * rowPx;
      return [
        h('line.pin', { x1: x(mark.date), x2: x(mark.date), y1: y, y2: heightPx + 4 }),
        h(
          'svg',
          { x: x(mark.date), y, class: `mk ${mark.type}`, overflow: 'visible' },
          ...symbolOf(mark, more.at(-1)?.number),
        ),
      ];
    }),
  };
}

/** Draws around the origin, about 20 px wide. @param until last number, if several are one mark */
export function symbolOf({ type, number, title }: Mark, until?: number): readonly Tree[] {
  const shape =
    until !== undefined
      ? h('rect', { x: -21, y: -9, width: 42, height: 18, rx: 9 })
      : type === 'action'
        ? h('circle', { r: 10 })
        : type === 'alert'
          ? h('path', { d: 'M0-12 12 0 0 12-12 0z' })
          : h('rect', { x: -9, y: -9, width: 18, height: 18, rx: 2 });
  return [
    h('title', title),
    shape,
    h('text', { y: 4 }, until === undefined ? String(number) : `${number}–${until}`),
  ];
}
