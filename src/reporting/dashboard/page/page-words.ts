// Words of the pages' frame; charts bring their own.
import type { Language, PageName, Words } from '../charts/chart.ts';
import { counted, fill, formatDate } from '../charts/format.ts';
import type { MissedNights } from './page-data.ts';
import type { Span, Theme } from './page-state.ts';

export const pageLabels: Readonly<Record<PageName, Words>> = {
  portfolio: 'Portfolio',
  client: 'Client',
  questions: 'Questions',
  sources: 'Sources',
  business: 'Business',
};

export const spanLabels: Readonly<Record<Span | 'own', Words>> = {
  '7': 'Last 7 days',
  '28': 'Last 28 days',
  '56': 'Last 8 weeks',
  '90': 'Last 90 days',
  '365': 'Last 365 days',
  all: 'All data',
  own: 'Own dates',
};

export const themeLabels: Readonly<Record<Theme, Words>> = {
  system: 'Like the system',
  light: 'Light',
  dark: 'Dark',
};

export type Say = (phrase: Words) => string;

export function sayIn(language: Language): Say {
  return (phrase) => fill(phrase, language);
}

const mostNamed = 3;

/** Writes `3 nights missed for good: 9 Nov 2026, 3 Nov 2026, 2 Nov 2026 (rank, sources)`, newest first. */
export function missedText({ dates, streams }: MissedNights, language: Language): string {
  const listed = (names: readonly string[]) => {
    const [named, more] = [names.slice(0, mostNamed).join(', '), names.length - mostNamed];
    return more > 0 ? `${named} ${fill('and {count} more', language, { count: String(more) })}` : named;
  };
  const nights = counted(dates.length, 'night missed for good|nights missed for good', language);
  return `${nights}: ${listed(dates.toReversed().map((date) => formatDate(date, language)))} (${listed(streams)})`;
}
