// How values are written for people, by language; the same in Node and in a browser.

import { inLanguage } from '../../../core/api-words.ts';
import { dayMs } from '../../../core/run-date.ts';
import spanish from '../../words.es.json' with { type: 'json' };
import type { Language, Period, Words } from './chart.ts';
import type { ColumnKind } from './columns.ts';

/** Joins the first few, and adds `…` if there are more. */
export function firstOf(names: readonly string[], most: number, between = ', '): string {
  return [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(between);
}

function wordsFor(words: Words, language: Language, count?: number): string {
  const said = language === 'en' ? words : spanish[words];
  const [one = '', many = one] = said.split('|');
  return count === undefined || count === 1 ? one : many;
}

/** Writes `1 answer`, `1,204 answers`. @param noun both forms, as `answer|answers` */
export function counted(count: number, noun: Words, language: Language): string {
  return `${formatNumber(count, language, 0)} ${wordsFor(noun, language, count)}`;
}

/** Fills `The share is {rate}` with its values; a place without a value is left out. */
export function fill(
  words: Words,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return wordsFor(words, language).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

const locales: Readonly<Record<Language, string>> = { es: 'es-ES', en: 'en-GB' };

/** Writes `54.1`, in Spanish `54,1`. @param digits maximum digits after the mark */
export function formatNumber(value: number, language: Language, digits = 1): string {
  return value.toLocaleString(locales[language], { maximumFractionDigits: digits, useGrouping: 'always' });
}

export function formatChange(value: number, language: Language, digits = 1): string {
  const text = formatNumber(Math.abs(value), language, digits);
  if (Number(Math.abs(value).toFixed(digits)) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** Writes 0.124 as `12.4 %`. */
export function formatRate(value: number, language: Language): string {
  return `${formatNumber(value * 100, language)} %`;
}

export function formatDate(date: string, language: Language): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) return date;
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(time);
}

/** `April 2026`. */
export function formatMonth(date: string, language: Language): string {
  const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(Date.parse(`${date}T00:00:00Z`));
}

/** Writes `3 Apr` on an axis within a year, and adds the year on a longer one. */
export function formatTick(date: string, { from, to }: Period, language: Language): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  const isLong = Date.parse(to) - Date.parse(from) > 366 * dayMs;
  const inYear = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const overYears = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locales[language], isLong ? overYears : inYear).format(time);
}

/** Groups the digits of a number written by Postgres, and loses none: `1234567890123.4500`. */
export function formatAmount(text: string, language: Language): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, language === 'es' ? '.' : ',');
  return `${sign === '' ? '' : '−'}${grouped}${rest === '' ? '' : `${language === 'es' ? ',' : '.'}${rest}`}`;
}

const flags: Words = 'no yes';

/** Words for a rise never say that it is good. */
const verdictWords: Readonly<Record<string, Words>> = {
  rose: 'rose',
  fell: 'fell',
  usual: 'within its usual range',
  nothing_older: 'cannot be judged yet, nothing is 28 days older',
  few_answers: 'cannot be judged, too few answers',
  few_changes: 'cannot be judged yet, without an interval of the service or seven earlier changes',
};

export function verdictText(verdict: string, language: Language): string | undefined {
  const words = verdictWords[verdict];
  return words === undefined ? undefined : fill(words, language);
}

function addressText(url: string): string {
  const plain = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
  try {
    return decodeURI(plain);
  } catch {
    return plain;
  }
}

/** Writes a value of a kind from its Postgres text. NULL gives an empty text. */
export function formatValue(value: string | null, kind: ColumnKind, language: Language): string {
  if (value === null) return '';
  if (kind === 'date') return formatDate(value, language);
  if (kind === 'flag')
    return fill(flags, language).split(' ')[value === 'true' || value === 't' ? 1 : 0] ?? '';
  if (kind === 'word') return inLanguage(value, language);
  if (kind === 'url') return addressText(value);
  if (kind === 'verdict') return verdictText(value, language) ?? value;
  const number = Number(value);
  if (kind === 'amount' || value.trim() === '' || !Number.isFinite(number))
    return formatAmount(value, language);
  if (kind === 'rate') return formatRate(number, language);
  if (kind === 'points') return formatChange(number, language);
  if (kind === 'rate_change') {
    return `${formatChange(number * 100, language)} ${fill('pp', language)}`;
  }
  return kind === 'text' || kind === 'line' || kind === 'key'
    ? value
    : formatNumber(number, language, kind === 'score' ? 1 : 4);
}
