// Reads values of rows by the names of their columns.
import type { Column, DrawContext, Row } from './chart.ts';
import { cutText, formatNumber } from './format.ts';
import { unknownWord } from './unknown.ts';

/** How often each word comes, for titles: ` (hecha 3, pospuesta 2)`. */
const mostWords = 4;

/** The most frequent words in parentheses, and how many are not known. @param words of the column, as the API has them */
export function countsBy(words: readonly (string | null)[], column: string, context: DrawContext): string {
  const { language } = context;
  const counts = new Map<string, number>();
  for (const word of words) {
    if (word === null || word.trim() === '') continue;
    const shown = cutText(word.replaceAll('_', ' '), 24);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  const said = sorted
    .slice(0, mostWords)
    .map(([word, count]) => `${word} ${formatNumber(count, language, 0)}`);
  if (sorted.length > mostWords) said.push('…');
  const unknown = words.length - [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (unknown > 0) said.push(`${unknownWord(context, column)} ${formatNumber(unknown, language, 0)}`);
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}

/** `2026-04-03`; a moment is of its day. Null: there is none. */
export function newestDay(dates: readonly (string | null)[]): string | null {
  let newest: string | null = null;
  for (const date of dates) {
    const day = date?.slice(0, 10);
    if (day !== undefined && (newest === null || day > newest)) newest = day;
  }
  return newest;
}

interface Cells {
  text(row: Row, name: string): string | null;
  /** For pictures and sorting; what people read is the text. Null: no value, or no number. */
  number(row: Row, name: string): number | null;
  flag(row: Row, name: string): boolean | null;
}

/** @throws Error where a column is read that the chart does not have: a fault of the chart, and no one of the data */
export function cellsOf(columns: readonly Column[]): Cells {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  const text = (row: Row, name: string): string | null => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`The chart has no column ${name}`);
    return row[place] ?? null;
  };
  return {
    text,
    number(row, name) {
      const value = text(row, name);
      const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : null;
    },
    flag(row, name) {
      const value = text(row, name);
      return value === null ? null : value === 'true' || value === 't';
    },
  };
}
