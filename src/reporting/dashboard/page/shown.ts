import type { ChartData, Language, Marker, Period, Row } from '../charts/chart.ts';
import type { Say } from './page-words.ts';

export interface Shown {
  readonly data: ChartData;
  readonly rows: readonly Row[];
  readonly caption: string;
  readonly language: Language;
  readonly period: Period;
  readonly markers: readonly Marker[];
  /** Charts of the page, for rows that open another chart's rows. */
  readonly others: Readonly<Record<string, ChartData>>;
  readonly say: Say;
  /** Returns the address of a client's page; undefined if it is not here. */
  readonly addressOf?: (clientKey: string) => string | undefined;
}
