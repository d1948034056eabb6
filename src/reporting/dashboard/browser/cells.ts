// Values in table cells: addresses that open, and small lines.
import type { Language } from '../charts/chart.ts';
import type { ColumnKind } from '../charts/columns.ts';
import { dateOf } from '../charts/dates.ts';
import { drawSpark, pointsOf } from '../charts/draw-spark.ts';
import { formatValue } from '../charts/format.ts';
import { element, treeElement } from './element.ts';

const numeric: ReadonlySet<ColumnKind> = new Set([
  'number',
  'score',
  'rate',
  'points',
  'rate_change',
  'amount',
  'level',
]);

export function classOf(kind: ColumnKind): string | undefined {
  if (numeric.has(kind)) return 'number';
  return kind === 'text' || kind === 'date' ? kind : kind === 'url' ? 'text' : undefined;
}

/** Compares values for sorting; an unknown value is neither less nor more. */
export function compareValues(kind: ColumnKind, one: string, other: string): number {
  if (numeric.has(kind)) return Number(one) - Number(other);
  return one.localeCompare(other, undefined, { sensitivity: 'base', numeric: true });
}

export function cellContent(value: string | null, kind: ColumnKind, language: Language): Node | string {
  if (value === null) return '';
  if (kind === 'line') return smallLine(value, language);
  // An address in the data may be anything, so only web pages open.
  if (kind === 'url' && /^https?:\/\//i.test(value)) {
    const attributes = { href: value, target: '_blank', rel: 'noopener noreferrer' };
    return element('a', attributes, formatValue(value, kind, language));
  }
  return formatValue(value, kind, language);
}

/** Draws a line without axes, from 0 to the greatest value, with a gap where a value is missing. */
function smallLine(text: string, language: Language): Element {
  const values = text.split(' ');
  // The values have no dates, so each counts as one day after the last.
  const dates = values.map((_, place) => dateOf(place));
  const points = pointsOf(dates.join(' '), text, null, null);
  const [first, last] = [points[0], points.at(-1)].map((one) =>
    formatValue(one === undefined ? null : String(one.value), 'rate', language),
  );
  const span = { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
  const most = Math.max(0.0001, ...points.map(({ value }) => value));
  return treeElement(drawSpark(points, { span, most, direction: undefined, label: `${first} → ${last}` }));
}
