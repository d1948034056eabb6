// How values are written for people, by language. The same in Node and in a browser.

import { dayMs } from '../../../core/run-date.ts';
import type { Column, ColumnKind, Language, Period } from './chart.ts';

/** One line of at most so many characters, with `…` where it was longer; an emoji is never halved. */
export function cutText(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const shown =
    characters.length <= most
      ? characters.join('')
      : `${characters
          .slice(0, most - 1)
          .join('')
          .trimEnd()}…`;
  // ECharts 6.1 remembers widths of texts in a plain object, and writes into every object for `__proto__`. A joiner of no
  // width makes it another text.
  return shown in Object.prototype ? `${shown}\u2060` : shown;
}

/** For `tooltip.formatter`. */
export function detailOf(given: unknown): string {
  const one: unknown = Array.isArray(given) ? given[0] : given;
  const data = memberOf(one, 'data');
  const detail = memberOf(data, 'detail');
  return typeof detail === 'string' ? detail.replaceAll('{', '{\u2060') : '';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** One and many, in each language. */
export type Noun = Readonly<Record<Language, readonly [one: string, many: string]>>;

/** `1 answer`, `1,204 answers`. */
export function counted(count: number, noun: Noun, language: Language): string {
  return `${formatNumber(count, language, 0)} ${noun[language][count === 1 ? 0 : 1]}`;
}

/** `12 domains`; of as many rows as a statement gives at most, `at least 500 domains`. */
export function countedUpTo(most: number, count: number, noun: Noun, language: Language): string {
  const text = counted(count, noun, language);
  return count < most ? text : `${{ en: 'at least', es: 'al menos' }[language]} ${text}`;
}

/** `At least 500 domains`. */
export function beginSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `12 of 30 shown`; undefined where all are. */
export function shownOf(shown: number, all: number, language: Language): string | undefined {
  if (shown >= all) return undefined;
  return { en: `${shown} of ${all} shown`, es: `Se muestran ${shown} de ${all}` }[language];
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-ES' };

/** `54.1`, in Spanish `54,1`. @param digits most digits after the mark */
export function formatNumber(value: number, language: Language, digits = 1): string {
  return value.toLocaleString(locales[language], { maximumFractionDigits: digits, useGrouping: 'always' });
}

/** `+1.2`, `−0.4`, `0`. */
export function formatChange(value: number, language: Language, digits = 1): string {
  const text = formatNumber(Math.abs(value), language, digits);
  if (Number(Math.abs(value).toFixed(digits)) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** 0.124 as `12.4 %`. */
export function formatRate(value: number, language: Language): string {
  return `${formatNumber(value * 100, language)} %`;
}

/** `2026-04-03` as `3 Apr 2026`. A text that is no date stays as it is. */
export function formatDate(date: string, language: Language): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) return date;
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(time);
}

/** `3 Apr` on an axis within a year, with the year on a longer one. */
export function formatTick(date: string, { from, to }: Period, language: Language): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  const isLong = Date.parse(to) - Date.parse(from) > 366 * dayMs;
  const inYear = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const overYears = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locales[language], isLong ? overYears : inYear).format(time);
}

/** Groups the digits of a number that Postgres wrote, and loses none: `1234567890123.4500`. */
export function formatAmount(text: string, language: Language): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, language === 'es' ? '.' : ',');
  return `${sign === '' ? '' : '−'}${grouped}${rest === '' ? '' : `${language === 'es' ? ',' : '.'}${rest}`}`;
}

const flags: Readonly<Record<Language, readonly [no: string, yes: string]>> = {
  en: ['no', 'yes'],
  es: ['no', 'sí'],
};

/** A value of a table, by the words of its column where it has some. NULL is an empty text. */
export function formatCell(value: string | null, column: Column, language: Language): string {
  return column.words?.[value ?? '']?.[language] ?? formatValue(value, column.kind, language);
}

/** A value of a kind. NULL is an empty text. */
function formatValue(value: string | null, kind: ColumnKind, language: Language): string {
  if (value === null) return '';
  if (kind === 'date') return formatDate(value, language);
  if (kind === 'flag') return flags[language][value === 'true' || value === 't' ? 1 : 0];
  if (kind === 'amount') return formatAmount(value, language);
  const number = Number(value);
  if (kind === 'text' || value.trim() === '' || !Number.isFinite(number)) return value;
  if (kind === 'rate') return formatRate(number, language);
  return kind === 'score' ? formatNumber(number, language) : formatAmount(value, language);
}
