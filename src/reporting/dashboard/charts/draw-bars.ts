// Bars from zero, a row each, with the interval as a line through its end. The client's own is in the accent.
import { inLanguage } from '../../../core/api-words.ts';
import { valueAxis } from './axes.ts';
import type { Bars, Fields } from './chart.ts';
import { columnOf } from './columns.ts';
import type { DrawContext } from './draw-trend.ts';
import { textAt } from './draw-trend.ts';
import { cutText, formatValue } from './format.ts';
import { node, type Picture, type SvgNode } from './svg.ts';
import { newestOf, unknownWord } from './tell.ts';

const [rowPx, mostRows, charPx] = [26, 15, 6.7];

/** The rows that are drawn: those of the newest date where the form says so. */
export function barRows(rows: readonly Fields[], { newest }: Bars): readonly Fields[] {
  if (newest === undefined) return rows;
  const date = newestOf(rows, newest);
  return rows.filter((row) => row.text(newest)?.slice(0, 10) === date);
}

/** Undefined: no row has a value. */
export function drawBars(all: readonly Fields[], form: Bars, context: DrawContext): Picture | undefined {
  const { language, palette, widthPx } = context;
  const rows = barRows(all, form).slice(0, mostRows);
  const { kind } = columnOf(form.value);
  const number = (row: Fields, name: string | undefined) => (name === undefined ? null : row.number(name));
  const values = rows.flatMap((row) =>
    [row.number(form.value), number(row, form.high)].filter((one) => one !== null),
  );
  if (values.length === 0) return undefined;
  const isWord = columnOf(form.name).kind === 'word';
  const names = rows.map((row) => {
    const name = row.text(form.name) ?? unknownWord({ gaps: {}, language });
    return cutText(isWord ? inLanguage(name, language) : name, widthPx < 600 ? 18 : 36);
  });
  const leftPx = Math.max(...names.map((name) => name.length)) * charPx + 12;
  const axis = valueAxis(values, kind, 4, true);
  // Room for the value behind the longest bar.
  const x = (value: number) =>
    leftPx + ((value - axis.min) / (axis.max - axis.min)) * (widthPx - leftPx - 76);
  const nodes = rows.flatMap((row, place): SvgNode[] => {
    const [value, low, high] = [row.number(form.value), number(row, form.low), number(row, form.high)];
    const y = place * rowPx + 4;
    const isOwn = form.own !== undefined && row.flag(form.own) === true;
    const name = textAt(leftPx - 8, y + 14, names[place] ?? '', palette.text, 'end');
    // What is not known has no bar: it is not 0.
    if (value === null)
      return [name, textAt(leftPx, y + 14, unknownWord({ gaps: {}, language }), palette.mutedText, 'start')];
    const text = formatValue(String(value), kind, language);
    const fill = isOwn || form.own === undefined ? (palette.series[0] ?? palette.text) : palette.rest;
    const from = Math.min(x(0), x(value));
    const bar = node('rect', {
      x: from,
      y,
      width: Math.max(1, Math.abs(x(value) - x(0))),
      height: rowPx - 8,
      fill,
    });
    const end = Math.max(x(value), x(high ?? value));
    const line =
      low === null || high === null
        ? []
        : [
            node('path', {
              d: `M${x(low)} ${y + 9}H${x(high)}M${x(low)} ${y + 5}v8M${x(high)} ${y + 5}v8`,
              stroke: palette.text,
              fill: 'none',
            }),
          ];
    return [name, bar, ...line, textAt(end + 6, y + 14, text, palette.text, 'start')];
  });
  nodes.push(node('line', { x1: x(0), x2: x(0), y1: 0, y2: rows.length * rowPx, stroke: palette.mutedText }));
  const said = rows
    .map((row, place) => `${names[place]} ${formatValue(row.text(form.value), kind, language)}`)
    .join(', ');
  return { widthPx, heightPx: rows.length * rowPx + 4, label: `${context.label} ${said}.`, nodes };
}
