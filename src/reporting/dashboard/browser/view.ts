// What every part of a page is made with.
import type { ChartData, Language, Period, Row } from '../charts/chart.ts';
import type { DrawContext } from '../charts/draw-trend.ts';
import type { Overview, PageScope } from '../page/page-data.ts';
import type { PageState } from '../page/page-state.ts';
import { type WordName, word } from '../page/page-words.ts';
import type { DataSource } from './data-source.ts';

export interface View {
  readonly source: DataSource;
  readonly overview: Overview;
  readonly state: PageState;
  readonly scope: PageScope;
  /** The address names a client that is not here, and `scope` stands in for it. */
  readonly isUnknown: boolean;
  readonly language: Language;
  readonly period: Period;
  /** Shows another state, and puts it into the address. */
  go(change: Partial<PageState>): void;
  say(name: WordName): string;
}

/** What the forms of a chart are made with. */
export interface Shown {
  readonly data: ChartData;
  readonly rows: readonly Row[];
  /** Says what a table shows. */
  readonly caption: string;
  readonly view: View;
  readonly context: Omit<DrawContext, 'language'>;
  /** The charts of the page, for rows that open those of another. */
  readonly others: Readonly<Record<string, ChartData>>;
}

export function sayIn(language: Language): (name: WordName) => string {
  return (name) => word(name, language);
}
