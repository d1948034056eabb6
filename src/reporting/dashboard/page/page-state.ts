// A reader's choices, kept in the address: in the query on a server, in the fragment of a file.

import { namedClient } from '../../../config/names.ts';
import { parseRunDate } from '../../../core/run-date.ts';
import { type Chart, type Language, type PageName, type Period, pageNames } from '../charts/chart.ts';
import { addDays, dayOf } from '../charts/dates.ts';
import type { PageScope } from './page-data.ts';

/** Counts days, both ends included. */
export function daysIn({ from, to }: Period): number {
  return dayOf(to) - dayOf(from) + 1;
}

/** @param dates dates with data; the last days count back from their end */
export function chosenPeriod(span: PageState['span'], dates: Period): Period {
  if (typeof span === 'object') return span;
  if (span === 'all') return dates;
  return { from: addDays(dates.to, 1 - Number(span)), to: dates.to };
}

/** Statements of charts sample longer periods. */
const mostDaysUnsampled = 180;

/**
 * Returns the shortest first. Questions are counted over the chosen period, so each period offered has its own data.
 */
export function filePeriods(period: Period, page: PageName): readonly Period[] {
  const lasts =
    page === 'questions'
      ? offeredSpans(period).flatMap((span) => (span === 'all' ? [] : Number(span)))
      : daysIn(period) <= mostDaysUnsampled
        ? []
        : [mostDaysUnsampled];
  return [...lasts.map((days) => ({ from: addDays(period.to, 1 - days), to: period.to })), period];
}

/** Picks the first that begins early enough, else the last, which holds the most. @param from first date of each */
export function periodFor(wanted: Period, from: readonly string[]): number {
  const found = from.findIndex((first) => first <= wanted.from);
  return found === -1 ? from.length - 1 : found;
}

/**
 * The account or client in an address. People write addresses by hand, so an id or name alone is enough for a client.
 */
interface ScopeInAddress {
  readonly scope: PageScope;
  /** The address names somebody unknown, and `scope` is just the first one there is. */
  readonly isUnknown: boolean;
}

/** Undefined if there is no scope at all. */
export function scopeInAddress(
  scopes: readonly PageScope[],
  given: string | undefined,
): ScopeInAddress | undefined {
  const [first] = scopes;
  if (first === undefined) return undefined;
  if (given === undefined) return { scope: first, isUnknown: false };
  const scope = scopes.find(({ clientKey }) => clientKey === given) ?? namedScope(scopes, given);
  return { scope: scope ?? first, isUnknown: scope === undefined };
}

function namedScope(scopes: readonly PageScope[], given: string): PageScope | undefined {
  try {
    return namedClient(scopes, given, 'a client');
  } catch {
    // None matches, or several do.
    return undefined;
  }
}

/** Returns a page's charts; the account itself also has most charts of a client, for its own measurements. */
export function chartsOf(charts: readonly Chart[], page: PageName, isAccount: boolean): readonly Chart[] {
  const scopes = ['both', isAccount ? 'account' : 'client'];
  return charts.filter((chart) => chart.page === page && scopes.includes(chart.scope));
}

export function shownPages(charts: readonly Chart[], isAccount: boolean): readonly PageName[] {
  return pageNames.filter((page) => chartsOf(charts, page, isAccount).length > 0);
}

/**
 * True for pages of the account itself that look as if they covered all of its clients. The portfolio does cover them.
 */
export function hasClientsElsewhere(
  page: PageName,
  scope: Pick<PageScope, 'account' | 'clientId'>,
  all: readonly Pick<PageScope, 'account' | 'clientId'>[],
): boolean {
  const hasClients = all.some((one) => one.account === scope.account && one.clientId !== '');
  return scope.clientId === '' && page !== 'portfolio' && hasClients;
}

export const spans = ['7', '28', '56', '90', '365', 'all'] as const;
export type Span = (typeof spans)[number];

/** Returns the spans that the data fills; a longer one would show the same as all dates. */
export function offeredSpans(dates: Period): readonly Span[] {
  return spans.filter((span) => span === 'all' || Number(span) < daysIn(dates));
}

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface PageState {
  /** Undefined for the first one there is. */
  readonly clientKey: string | undefined;
  readonly page: PageName | undefined;
  /** Number of last days, or both ends. */
  readonly span: Span | { readonly from: string; readonly to: string };
  readonly language: Language | undefined;
  readonly theme: Theme;
}

export const firstState: PageState = {
  clientKey: undefined,
  page: undefined,
  // Both windows that a verdict compares.
  span: '56',
  language: undefined,
  theme: 'system',
};

/** True if both are calendar days, and the first is not later. */
export function isPeriod(from: string, to: string): boolean {
  return parseRunDate(from) !== undefined && parseRunDate(to) !== undefined && from <= to;
}

/** Ignores any part that cannot be read, as an address may come from anywhere. @param text without `?` or `#` */
export function readState(text: string): PageState {
  const given = new URLSearchParams(text);
  const one = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((value) => value === given.get(name));
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? ''];
  return {
    clientKey: given.get('client') ?? undefined,
    page: one('page', pageNames),
    span: isPeriod(from, to) ? { from, to } : (one('days', spans) ?? firstState.span),
    language: one('lang', ['en', 'es'] as const),
    theme: one('theme', themes) ?? firstState.theme,
  };
}

export function writeState(state: PageState): string {
  const text = new URLSearchParams();
  if (state.clientKey !== undefined) text.set('client', state.clientKey);
  if (state.page !== undefined) text.set('page', state.page);
  if (typeof state.span === 'object') {
    text.set('from', state.span.from);
    text.set('to', state.span.to);
  } else if (state.span !== firstState.span) text.set('days', state.span);
  if (state.language !== undefined) text.set('lang', state.language);
  if (state.theme !== firstState.theme) text.set('theme', state.theme);
  return text.toString();
}
