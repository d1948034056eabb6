// A chart of the dashboard: the rows of a statement, a sentence, and the forms that show them. Pure, and the same in
// Node and in a browser. Column names are in columns.ts, drawing is in the files draw-*.ts.

import type spanish from '../../words.es.json';

export type Language = 'en' | 'es';

/**
 * A text in English; its Spanish is in words.es.json, and another language is another such file. `{name}` is a place
 * for a value, `one|many` a word for one and for several.
 */
export type Words = keyof typeof spanish;

export const pageNames = ['portfolio', 'client', 'questions', 'sources', 'business'] as const;
export type PageName = (typeof pageNames)[number];

/** In the order of the columns, each value as Postgres writes it: `2026-04-03`, `54.1`, `true`; null for NULL. */
export type Row = readonly (string | null)[];

export interface ChartData {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Views that the statement reads, as `bi.rank_trend`. */
  readonly views: readonly string[];
  /** Newest date in the rows, `2026-04-03`. */
  readonly asOf: string | null;
  /**
   * Why a chart may be empty. `not_mapped`: a field that it needs is not found in the data; `not_given`: its routes are
   * not available to the client, or have no records for it; `of_account`: its records do not name their client, and are
   * for the whole account; `no_data`: nothing that it could show was published; `failed`: its statement did not finish.
   * With `not_mapped` there may be rows, which then lack the fields in `missing`.
   */
  readonly state: 'ready' | 'not_mapped' | 'not_given' | 'of_account' | 'no_data' | 'failed';
  /** Logical fields that are not mapped, as `rank_now.score`. */
  readonly missing: readonly string[];
  readonly gaps: Gaps;
}

/**
 * Columns of the chart's views without a value in any row, and why: nobody said which field holds it, or the API has
 * nothing for this client. Any other missing value came without one and is unknown.
 */
export type Gaps = Readonly<Record<string, 'not_mapped' | 'not_given'>>;

/** Both dates included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** An event, marked on every axis of time. */
export interface Marker {
  readonly date: string;
  readonly type: 'method_change' | 'action' | 'alert' | 'note';
  readonly title: string;
  readonly titleEs?: string | undefined;
  readonly detail?: string | undefined;
  /** Expectation and observed value from the newest event of an action, in the unit of the metric. */
  readonly expectation?: Readonly<Record<'metric' | 'from' | 'to' | 'observed', string | null>> | undefined;
}

/** A row, read by column names. A column that the statement does not have reads as NULL. */
export interface Fields {
  text(name: string): string | null;
  /** Null if there is no value, or it is not a number. */
  number(name: string): number | null;
  flag(name: string): boolean | null;
}

export interface Telling {
  readonly language: Language;
  readonly period: Period;
  readonly gaps: Gaps;
  /** Rows of the page's other charts, by name of the chart. */
  readonly beside?: (chart: string) => readonly Fields[];
}

/** Lines over time, one per series, each with its interval if the columns are there. */
export interface Trend {
  readonly as: 'trend';
  readonly date: string;
  readonly value: string;
  readonly series?: string;
  readonly low?: string;
  readonly high?: string;
  /** Reason column; with a value in it the point is hollow and outside of the line. */
  readonly excluded?: string;
}

/** Bars from zero, one per row, with the interval and the previous value. */
export interface Bars {
  readonly as: 'bars';
  readonly name: string;
  readonly value: string;
  readonly low?: string;
  readonly high?: string;
  readonly own?: string;
  /** Columns of the small text below the name, and of the address of its link. */
  readonly small?: string;
  readonly href?: string;
  /** Puts bars of rivals below the brand's, on the same scale. */
  readonly rival?: string;
  readonly bad?: string;
  /** Keeps only rows with its newest value, such as the last date; rows of the oldest give the previous value. */
  readonly newest?: string;
}

/** A row per name and a column per value of `column`; `beside` are columns that a name's rows share. */
export interface Matrix {
  readonly as: 'matrix';
  readonly row: string;
  readonly column: string;
  readonly value: string;
  /** Number of answers behind the value; shown if it is small. */
  readonly count?: string;
  readonly beside: readonly string[];
  readonly opens?: Opens;
}

export interface Table {
  readonly as: 'table';
  /** Default: all. */
  readonly columns?: readonly string[];
}

/**
 * Forms of one chart each. `portfolio`: one line per client over its AI Rank, coloured if its change is clear;
 * `standings`: one row per client, grouped by need; `alerts`: open alerts of the account itself; `standing`: a client's
 * share of answers and AI Rank, each figure beside its line; `columns`: one bar per stated period of revenue, one
 * picture per currency; `lists`: questions lost, won, and those that name only rivals; `actions`: each expected change
 * as a bar from zero, with the observed one as a point.
 */
interface Own {
  readonly as: 'portfolio' | 'standings' | 'alerts' | 'standing' | 'columns' | 'lists' | 'actions';
}

/** One small picture per series, all on one scale, with the total in grey. */
export interface Multiples {
  readonly as: 'multiples';
  readonly date: string;
  readonly series: string;
  readonly value: string;
  readonly low: string;
  readonly high: string;
  /** Columns of numerator and denominator, for adding up series and weeks. */
  readonly part: string;
  readonly whole: string;
}

/** Rows of another chart on the page, shown where the value of `by` is the same. */
export interface Opens {
  readonly chart: string;
  readonly by: string;
}

export type Form = Trend | Bars | Matrix | Table | Multiples | Own;

export interface Chart {
  /** Also names its statement, `sql/dashboard/<name>.sql`, unless `statement` names another. */
  readonly name: string;
  readonly statement?: string;
  readonly page: PageName;
  /** `account`: all clients of the account; `client`: one client; `both`: one client or the account's own data. */
  readonly scope: 'account' | 'client' | 'both';
  /** Column by which a period narrows its rows; undefined if they are as of now. */
  readonly dateColumn?: string;
  readonly label: Words;
  /** The measure and its unit: `AI Rank, 0 to 100`. */
  readonly unit: Words;
  readonly note?: Words;
  /** Place in the page's grid: columns of twelve, or before the others on a narrow page. Default: a row. */
  readonly place?: 'c8' | 'c6' | 'c4' | 'lead';
  /** Chart on the page whose rows it takes; it reads none itself. */
  readonly rowsOf?: string;
  /** True for rows of the statement that belong to the chart. Default: all. */
  keep?(row: Fields, all: readonly Fields[]): boolean;
  /** Charts whose rows it draws beside its own; they have no place of their own, and their figures stand below. */
  readonly draws?: readonly string[];
  /** Finding of the whole page. */
  headline?(rows: readonly Fields[], telling: Telling): string;
  /** One sentence with the figure that matters. Gets the rows of the period; never called without rows. */
  title(rows: readonly Fields[], telling: Telling): string;
  /** Its rows are only shown when opened from another chart's rows. */
  readonly isOpened?: true;
  /** Empty if the sentence is enough; the figures can still be opened. */
  readonly forms: readonly Form[];
}
