// What a reader chose, as it stands in the address: in the query where a server answers, in the fragment of a file.
import { type Language, type PageName, pageNames } from '../charts/chart.ts';
import { isDay } from './dates.ts';

export const spans = ['7', '28', '90', '365', 'all'] as const;
export type Span = (typeof spans)[number];

export const comparisons = ['none', 'before', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface PageState {
  /** Undefined: the first one that there is. */
  readonly clientKey: string | undefined;
  readonly page: PageName | undefined;
  /** The last so many days, or from one day to another. */
  readonly span: Span | { readonly from: string; readonly to: string };
  readonly compare: Comparison;
  /** Undefined: that of the page. */
  readonly language: Language | undefined;
  readonly theme: Theme;
}

export const firstState: PageState = {
  clientKey: undefined,
  page: undefined,
  span: '28',
  compare: 'none',
  language: undefined,
  theme: 'system',
};

/** What is not understood counts as not chosen: an address may come from anywhere. @param text without `?` or `#` */
export function readState(text: string): PageState {
  const given = new URLSearchParams(text);
  const one = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((value) => value === given.get(name));
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? ''];
  return {
    clientKey: given.get('client') ?? undefined,
    page: one('page', pageNames),
    span: isDay(from) && isDay(to) && from <= to ? { from, to } : (one('days', spans) ?? firstState.span),
    compare: one('compare', comparisons) ?? firstState.compare,
    language: one('lang', ['en', 'es'] as const),
    theme: one('theme', themes) ?? firstState.theme,
  };
}

/** What is not chosen is not written. */
export function writeState(state: PageState): string {
  const text = new URLSearchParams();
  if (state.clientKey !== undefined) text.set('client', state.clientKey);
  if (state.page !== undefined) text.set('page', state.page);
  if (typeof state.span === 'object') {
    text.set('from', state.span.from);
    text.set('to', state.span.to);
  } else if (state.span !== firstState.span) text.set('days', state.span);
  if (state.compare !== firstState.compare) text.set('compare', state.compare);
  if (state.language !== undefined) text.set('lang', state.language);
  if (state.theme !== firstState.theme) text.set('theme', state.theme);
  return text.toString();
}
