import type { Language, Period } from '../charts/chart.ts';
import type { Overview, PageScope } from '../page/page-data.ts';
import type { PageState } from '../page/page-state.ts';
import type { Say } from '../page/page-words.ts';
import type { Shown as Told } from '../page/shown.ts';
import type { DataSource } from './data-source.ts';

export interface View {
  readonly source: DataSource;
  readonly overview: Overview;
  readonly state: PageState;
  readonly scope: PageScope;
  /** The address names a client that is not here, so `scope` stands in for it. */
  readonly isUnknown: boolean;
  readonly language: Language;
  readonly period: Period;
  go(change: Partial<PageState>): void;
  readonly say: Say;
}

export interface Shown extends Told {
  readonly view: View;
}
