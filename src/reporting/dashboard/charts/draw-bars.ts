// Bars from zero, one per row, with the interval as a line through the end and a mark for the previous value. The
// client's own bar is blue, others are grey.
import { inLanguage } from '../../../core/api-words.ts';
import type { Bars, Fields, Language } from './chart.ts';
import { columnOf } from './columns.ts';
import { round } from './draw-trend.ts';
import { fill, formatValue } from './format.ts';
import { newestOf, unknownWord } from './tell.ts';
import { h, type Tree } from './tree.ts';

interface Bar {
  readonly name: string;
  readonly isOwn: boolean;
  /** Value as written, with a word if it is unknown. */
  readonly text: string;
  readonly small: string;
  /** Null if the name is no link. */
  readonly href: string | null;
  /** Change as written; empty if unknown. */
  readonly change: string;
  /** Undefined if the value is unknown, which is not 0. */
  readonly picture: Tree | undefined;
}

const mostRows = 15;

/** Returns the oldest and newest date of the form's column that have a value. */
export function barDates(rows: readonly Fields[], { newest = '', value }: Bars): (string | undefined)[] {
  const known = rows.filter((row) => row.number(value) !== null);
  const oldest = known.flatMap((row) => row.text(newest)?.slice(0, 10) ?? []).sort()[0];
  const last = newestOf(known, newest);
  return [oldest === last ? undefined : oldest, last];
}

function wordOf(row: Fields, column: string, language: Language): string {
  const given = row.text(column);
  if (given === null) return unknownWord({ gaps: {}, language }, column);
  return columnOf(column).kind === 'word' ? inLanguage(given, language) : given;
}

/** Returns the bars, only of the newest date if the form says so, each with its value on the oldest one. */
export function drawBars(rows: readonly Fields[], form: Bars, language: Language): readonly Bar[] {
  const [oldest, newest] = barDates(rows, form);
  const at = (date: string | undefined) =>
    form.newest === undefined
      ? rows
      : rows.filter((row) => row.text(form.newest ?? '')?.slice(0, 10) === date);
  const shown = at(newest).slice(0, mostRows);
  if (!shown.some((row) => row.number(form.value) !== null)) return [];
  const before = new Map(
    (form.newest === undefined || oldest === undefined ? [] : at(oldest)).map((row) => [
      row.text(form.name),
      row,
    ]),
  );
  const { kind } = columnOf(form.value);
  const number = (row: Fields | undefined, name: string | undefined) =>
    name === undefined ? null : (row?.number(name) ?? null);
  const values = shown.flatMap((row) =>
    [
      row.number(form.value),
      number(row, form.high),
      number(row, form.rival),
      number(before.get(row.text(form.name)), form.value),
    ].filter((one) => one !== null),
  );
  const max = kind === 'score' ? 100 : Math.max(1e-9, ...values);
  const x = (value: number) => `${round((value / max) * 100)}%`;
  return shown.map((row): Bar => {
    const [value, low, high] = [row.number(form.value), number(row, form.low), number(row, form.high)];
    const was = number(before.get(row.text(form.name)), form.value);
    const isOwn = form.own === undefined || row.flag(form.own) === true;
    const name = wordOf(row, form.name, language);
    const [rival, bad] = [number(row, form.rival), number(row, form.bad)];
    const small = form.small === undefined ? '' : wordOf(row, form.small, language);
    const named = { name, isOwn, small, href: form.href === undefined ? null : row.text(form.href) };
    if (value === null) {
      const text = unknownWord({ gaps: {}, language }, form.value);
      return { ...named, text, change: '', picture: undefined };
    }
    const text = formatValue(String(value), kind, language);
    const said =
      was === null ? '' : `, ${fill('before', language)} ${formatValue(String(was), kind, language)}`;
    const line = (look: string | undefined, from: number, to: number, y1: number, y2: number) =>
      h('line', { ...(look !== undefined && { class: look }), x1: x(from), x2: x(to), y1, y2 });
    return {
      ...named,
      text: rival === null ? text : `${text} / ${formatValue(String(rival), kind, language)}`,
      change:
        was === null
          ? ''
          : formatValue(String(value - was), kind === 'rate' ? 'rate_change' : 'points', language),
      picture: h(
        'svg.bar',
        { role: 'img', 'aria-label': `${name}: ${text}${said}` },
        h('line.zero', { y2: 16 }),
        h(isOwn ? 'rect.own' : 'rect', {
          width: x(value),
          ...(rival === null ? { y: 3, height: 10 } : { y: 1, height: 6 }),
        }),
        rival === null ? undefined : h('rect', { width: x(rival), y: 9, height: 6 }),
        bad === null ? undefined : h('rect.bad', { width: x(value * bad), y: 3, height: 10 }),
        ...(low === null || high === null
          ? []
          : [
              line('in', low, value, 8, 8),
              line('in', low, low, 5, 11),
              line(undefined, value, high, 8, 8),
              line(undefined, high, high, 5, 11),
            ]),
        ...(was === null ? [] : [line('was', was, was, 0, 16)]),
      ),
    };
  });
}
