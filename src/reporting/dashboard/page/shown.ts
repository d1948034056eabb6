import type { ChartData, Language, Marker, Period, Row } from '../charts/chart.ts';
import type { Say } from './page-words.ts';

export interface Shown {
  readonly data: ChartData;
  readonly rows: readonly Row[];
  /** Says what it shows, also to screen readers. */
  readonly caption: string;
  readonly language: Language;
  readonly period: Period;
  readonly markers: readonly Marker[];
  /** The charts of the page, for rows that open those of another. */
  readonly others: Readonly<Record<string, ChartData>>;
  readonly say: Say;
  /** Returns the address of a client's page; undefined: it is not here. */
  readonly addressOf?: (clientKey: string) => string | undefined;
}
