// A chart of the dashboard: the rows of a statement, a sentence, and the forms in which they are shown. Pure, and the same
// in Node and in a browser. Names of columns stand in columns.ts, the drawing of forms in the files draw-*.ts.

import type spanish from '../../words.es.json';

export type Language = 'en' | 'es';

/**
 * A text in English, whose Spanish stands in words.es.json: another language is another such file. `{name}` is a place for a
 * value, `one|many` a word for one and for several.
 */
export type Words = keyof typeof spanish;

export const pageNames = ['portfolio', 'client', 'questions', 'sources', 'business'] as const;
export type PageName = (typeof pageNames)[number];

/** In the order of the columns, each value as Postgres writes it: `2026-04-03`, `54.1`, `true`; null: NULL. */
export type Row = readonly (string | null)[];

export interface ChartData {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The views that the statement reads, as `bi.rank_trend`. */
  readonly views: readonly string[];
  /** Newest date of what the rows say, `2026-04-03`. */
  readonly asOf: string | null;
  /**
   * Why a chart may be empty. `not_mapped`: a field that it needs is not found in the data; `not_given`: its routes are
   * not available to the client, or have no records of it; `of_account`: its records do not say which client they are
   * about, and are for the whole account; `no_data`: nothing was published that it could show; `failed`: its statement did not end. Rows may be there beside `not_mapped`: the
   * fields of `missing` are what is not shown then.
   */
  readonly state: 'ready' | 'not_mapped' | 'not_given' | 'of_account' | 'no_data' | 'failed';
  /** Logical fields that are not mapped, as `rank_now.score`. */
  readonly missing: readonly string[];
  readonly gaps: Gaps;
}

/**
 * Columns of the chart's views that have no value in any row, and why: nobody said which field holds it, or the API has
 * nothing of it for this client. Another value that is not there came without one: it is unknown.
 */
export type Gaps = Readonly<Record<string, 'not_mapped' | 'not_given'>>;

/** Dates, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Something that happened, on every axis of time. */
export interface Marker {
  readonly date: string;
  readonly type: 'method_change' | 'action' | 'alert' | 'note';
  readonly title: string;
  readonly titleEs?: string | undefined;
  readonly detail?: string | undefined;
  /** The newest event of an action says what was expected of it and what was observed, in the unit of the metric. */
  readonly expectation?: Readonly<Record<'metric' | 'from' | 'to' | 'observed', string | null>> | undefined;
}

/** A row by the names of its columns. A column that the statement does not have reads as NULL. */
export interface Fields {
  text(name: string): string | null;
  /** Null: no value, or no number. */
  number(name: string): number | null;
  flag(name: string): boolean | null;
}

/** The context that a sentence is made for. */
export interface Telling {
  readonly language: Language;
  readonly period: Period;
  readonly gaps: Gaps;
  /** Rows of the other charts of the page, by name of the chart. */
  readonly beside?: (chart: string) => readonly Fields[];
}

/** Lines over time, a line a series, with the interval around each where its columns are there. */
export interface Trend {
  readonly as: 'trend';
  readonly date: string;
  readonly value: string;
  readonly series?: string;
  readonly low?: string;
  readonly high?: string;
  /** A value in it makes the point a hollow one outside of the line: the reason. */
  readonly excluded?: string;
}

/** A bar a row, from zero, with its interval and where it was before. */
export interface Bars {
  readonly as: 'bars';
  readonly name: string;
  readonly value: string;
  readonly low?: string;
  readonly high?: string;
  readonly own?: string;
  /** Below the name, and where the name leads. */
  readonly small?: string;
  readonly href?: string;
  /** Bars of rivals below those of the brand, on the same scale. */
  readonly rival?: string;
  /** A share of the bar that is bad. */
  readonly bad?: string;
  /** Rows of its newest value alone, such as the last date; those of the oldest are what was before. */
  readonly newest?: string;
}

/** A row a name and a column a value of `column`; `beside` are columns that the rows of a name have in common. */
export interface Matrix {
  readonly as: 'matrix';
  readonly row: string;
  readonly column: string;
  readonly value: string;
  /** Number of answers behind the value: said where it is small. */
  readonly count?: string;
  readonly beside: readonly string[];
  readonly opens?: Opens;
}

/** The rows themselves. */
export interface Table {
  readonly as: 'table';
  /** Default: all. */
  readonly columns?: readonly string[];
}

/**
 * Forms of one chart each. `portfolio`: a line a client over its AI Rank, coloured where its change is clear; `standings`: a
 * row a client, in groups by what it needs; `alerts`: what is open of the account itself; `standing`: share of answers and
 * AI Rank of a client, each figure beside its line; `columns`: a bar a stated period of revenue, a picture a currency;
 * `lists`: questions that were lost, won, and where rivals are named alone; `actions`: what each was expected to change, as a
 * bar from zero, and what was observed, as a point.
 */
interface Own {
  readonly as: 'portfolio' | 'standings' | 'alerts' | 'standing' | 'columns' | 'lists' | 'actions';
}

/** A small picture a series, all on one scale, with all of them together in grey. */
export interface Multiples {
  readonly as: 'multiples';
  readonly date: string;
  readonly series: string;
  readonly value: string;
  readonly low: string;
  readonly high: string;
  /** Columns of numerator and denominator, to add up series and weeks. */
  readonly part: string;
  readonly whole: string;
}

/** Rows of another chart of the page, shown where the value of `by` is the same. */
export interface Opens {
  readonly chart: string;
  readonly by: string;
}

export type Form = Trend | Bars | Matrix | Table | Multiples | Own;

export interface Chart {
  /** Names its statement too, `sql/dashboard/<name>.sql`, unless `statement` names another. */
  readonly name: string;
  readonly statement?: string;
  readonly page: PageName;
  /** `account`: of all clients of the account; `client`: of one client; `both`: also of what is the account's own. */
  readonly scope: 'account' | 'client' | 'both';
  /** The column by which a period narrows its rows. Undefined: they are as of now. */
  readonly dateColumn?: string;
  /** Its name in lists and for screen readers. */
  readonly label: Words;
  /** The measure and its unit: `AI Rank, 0 to 100`. */
  readonly unit: Words;
  /** How to read it, where that is not plain. */
  readonly note?: Words;
  /** Its place in the grid of the page: columns of twelve, or before the others where the page is narrow. Default: a row. */
  readonly place?: 'c8' | 'c6' | 'c4' | 'lead';
  /** Takes the rows of another chart of the page, and reads none. */
  readonly rowsOf?: string;
  /** Says whether a row of the statement is the chart's. Default: all are. */
  keep?(row: Fields, all: readonly Fields[]): boolean;
  /** Charts whose rows it draws beside its own: they have no place of their own, and their figures stand below. */
  readonly draws?: readonly string[];
  /** The finding of the whole page. */
  headline?(rows: readonly Fields[], telling: Telling): string;
  /** One sentence with the figure that matters. Rows are those of the period; never called without rows. */
  title(rows: readonly Fields[], telling: Telling): string;
  /** Its rows are opened by rows of another chart, and stand nowhere else. */
  readonly isOpened?: true;
  /** None: the sentence says it, and the figures are there to be opened. */
  readonly forms: readonly Form[];
}
