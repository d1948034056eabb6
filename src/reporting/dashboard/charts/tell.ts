// Reads rows by column names, and words unknown values: never 0, and never no.

import { inLanguage } from '../../../core/api-words.ts';
import { cutText } from '../../../core/text.ts';
import type { Chart, ChartData, Fields, Language, Marker, Period, Row, Telling, Words } from './chart.ts';
import { addDays } from './dates.ts';
import { counted, fill, firstOf, formatDate, formatNumber } from './format.ts';

export function fieldsOf(columns: readonly string[], rows: readonly Row[]): Fields[] {
  const places = new Map(columns.map((name, place) => [name, place]));
  return rows.map((row) => {
    const text = (name: string) => row[places.get(name) ?? -1] ?? null;
    return {
      text,
      number(name) {
        const value = text(name);
        const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
        return Number.isFinite(number) ? number : null;
      },
      flag(name) {
        const value = text(name);
        return value === null ? null : value === 'true' || value === 't';
      },
    };
  });
}

/** Makes the sentence above a chart. @param rows rows of the period */
export function titleOf(
  chart: Chart,
  { columns, gaps }: Pick<ChartData, 'columns' | 'gaps'>,
  rows: readonly Row[],
  telling: Omit<Telling, 'gaps'>,
): string {
  return chart.title(fieldsOf(columns, rows), { ...telling, gaps });
}

/** Reasons for a missing value, none of which is "no" or 0, with one word each everywhere. */
export const valueWords = {
  /** The field came without a value. */
  unknown: 'not known',
  /** Nobody said which field holds it. */
  not_mapped: 'not mapped',
  /** The route is not available to the client, or has nothing for it. */
  not_given: 'not given for this client',
  /** There are records, but they do not name their client. */
  of_account: 'for the whole account',
  /** There is a value, the same as before. */
  unchanged: 'unchanged',
} as const satisfies Record<string, Words>;

/** Says why a value is missing. @param columns columns of the chart's views; the first with a reason decides */
export function unknownWord(
  { gaps, language }: Pick<Telling, 'gaps' | 'language'>,
  ...columns: readonly string[]
): string {
  const gap = columns.map((column) => gaps[column]).find((one) => one !== undefined);
  return fill(valueWords[gap ?? 'unknown'], language);
}

/** Ends a title with `; 12 not mapped`; empty if there are none. */
export function unknownTail(count: number, telling: Telling, ...columns: readonly string[]): string {
  if (count === 0) return '';
  return `; ${formatNumber(count, telling.language, 0)} ${unknownWord(telling, ...columns)}`;
}

const mostWords = 4;

/** Counts each word, the most frequent first: ` (done 3, postponed 2)`; empty if there are none. */
export function countsBy(rows: readonly Fields[], column: string, telling: Telling): string {
  const { language } = telling;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const word = row.text(column);
    const shown =
      word === null || word.trim() === ''
        ? unknownWord(telling, column)
        : cutText(inLanguage(word, language), 24);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  const said = sorted.map(([word, count]) => `${word} ${formatNumber(count, language, 0)}`);
  return said.length === 0 ? '' : ` (${firstOf(said, mostWords)})`;
}

/** Returns the newest value of a date column; undefined if there is none. */
export function newestOf(rows: readonly Fields[], column: string): string | undefined {
  return rows
    .flatMap((row) => row.text(column)?.slice(0, 10) ?? [])
    .reduce<string | undefined>(
      (newest, date) => (newest === undefined || date > newest ? date : newest),
      undefined,
    );
}

export function sumOf(rows: readonly Fields[], column: string): number {
  return rows.reduce((sum, row) => sum + (row.number(column) ?? 0), 0);
}

/** Nothing can be compared for this many days after the first answers or the first AI Rank. */
const comparedAfterDays = 28;

type Judged = 'mention' | 'rank';

/** Returns the date from which a change can be judged if there is nothing older; undefined if it cannot be told. */
function judgedDate(row: Fields, figure: Judged, { to }: Period): string | undefined {
  const first = figure === 'rank' ? row.text('rank_since_date') : row.text('mention_weeks')?.split(' ')[0];
  if (row.text(`${figure}_direction`) !== 'nothing_older' || first == null) return undefined;
  const from = addDays(first, comparedAfterDays);
  // Long past: other questions are asked now, and it is unknown when they can be compared.
  return from <= to ? undefined : from;
}

/** Writes `not before 12 Dec 2026`; empty if no date can be told. */
export function judgedFrom(
  row: Fields,
  { language, period }: Pick<Telling, 'language' | 'period'>,
  figure: Judged = 'mention',
): string {
  const from = judgedDate(row, figure, period);
  const words = 'not before {from}';
  return from === undefined ? '' : fill(words, language, { from: formatDate(from, language) });
}

/** Returns the date before which no row's change can be judged; undefined if one waits for something else. */
export function nothingBefore(
  rows: readonly Fields[],
  { language, period }: Pick<Telling, 'language' | 'period'>,
  figures: readonly Judged[] = ['mention', 'rank'],
): string | undefined {
  const dates = rows.flatMap((row) =>
    figures.flatMap((one) => (row.text(`${one}_direction`) === null ? [] : [judgedDate(row, one, period)])),
  );
  const [first] = dates.toSorted();
  return first === undefined || dates.includes(undefined) ? undefined : formatDate(first, language);
}

const eventNouns = {
  alert: 'alert|alerts',
  action: 'action|actions',
  note: 'note|notes',
  method_change: 'change of method|changes of method',
} as const;

/** `2 alerts, 3 actions, 1 note`. */
export function eventsTitle(events: readonly Pick<Marker, 'type'>[], language: Language): string {
  const types = ['alert', 'action', 'note', 'method_change'] as const;
  const said = types.flatMap((type) => {
    const count = events.filter((one) => one.type === type).length;
    return count === 0 ? [] : [counted(count, eventNouns[type], language)];
  });
  return said.join(', ');
}

const beforeWord: Words = 'before';

/**
 * Tells an event with its detail: an action's status, as `done (before: in progress)`, and its expectation, as `AI
 * Rank: expected 51.5 → 55, observed 52`.
 */
export function markerText(
  { type, title, titleEs, detail = '', expectation }: Marker,
  language: Language,
): readonly [title: string, details: readonly string[]] {
  const [, now = '', , before] = /^([^(]*?)( ?\(?before: ([^)]*)\)?)?$/.exec(detail) ?? ['', detail];
  const isStatus = type === 'action' || type === 'method_change';
  const was = before === undefined ? '' : `(${fill(beforeWord, language)}: ${inLanguage(before, language)})`;
  const told = isStatus ? `${inLanguage(now, language)} ${was}`.trim() : detail;
  const { metric, from, to, observed } = expectation ?? {};
  const figure = (text: string | null | undefined) =>
    text == null ? '' : formatNumber(Number(text), language);
  const said = [
    to == null ? '' : `${fill('Expected', language).toLowerCase()} ${figure(from)} → ${figure(to)}`,
    observed == null ? '' : `${fill('Observed', language).toLowerCase()} ${figure(observed)}`,
  ].filter((one) => one !== '');
  const effect = said.length === 0 ? '' : `${inLanguage(metric ?? '', language)}: ${said.join(', ')}`;
  return [
    language === 'es' ? (titleEs ?? title) : title,
    [inLanguage(type, language), told, effect].filter((one) => one !== ''),
  ];
}
