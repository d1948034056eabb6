// What a chart of the dashboard is: the rows of a statement, a sentence, and in which form they are shown. Pure, and the
// same in Node and in a browser. What columns are called stands in columns.ts, how forms look in the files draw-*.ts.

export type Language = 'en' | 'es';

/** A text in each language. */
export type Words = Readonly<Record<Language, string>>;

export const pageNames = ['portfolio', 'client', 'questions', 'sources', 'business'] as const;
export type PageName = (typeof pageNames)[number];

/** In the order of the columns, each value as Postgres writes it: `2026-04-03`, `54.1`, `true`; null: NULL. */
export type Row = readonly (string | null)[];

export interface ChartData {
  /** As the statement names them. */
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
  /** Where the title differs by language. */
  readonly titleEs?: string | undefined;
  /** As `bi.events` gives it. */
  readonly detail?: string | undefined;
}

/** A row by the names of its columns. A column that the statement does not have reads as NULL. */
export interface Fields {
  text(name: string): string | null;
  /** Null: no value, or no number. */
  number(name: string): number | null;
  flag(name: string): boolean | null;
}

/** What a sentence is made for. */
export interface Telling {
  readonly language: Language;
  readonly period: Period;
  readonly gaps: Gaps;
}

/** Lines over time, a line a series, with the interval around each where its columns are there. */
export interface Trend {
  readonly as: 'trend';
  readonly date: string;
  readonly value: string;
  readonly series?: string;
  readonly low?: string;
  readonly high?: string;
  /** Flag of the series that is the client's own: drawn first, in the accent. */
  readonly own?: string;
  /** A picture for each value of it, such as a currency: amounts of two never stand on one axis. */
  readonly split?: string;
  /** Columns of the first and the last day that a value is counted over: no line joins periods that share no day. */
  readonly counted?: readonly [from: string, to: string];
  /** A value in it makes the point a hollow one outside of the line: the reason. */
  readonly excluded?: string;
}

/** A bar a row, from zero, with its interval. */
export interface Bars {
  readonly as: 'bars';
  readonly name: string;
  readonly value: string;
  readonly low?: string;
  readonly high?: string;
  readonly own?: string;
  /** Rows of its newest value alone, such as the last date. */
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
  readonly opens?: Opens;
}

/** Large figures: of each row the first one, with its verdict and the others below it. */
export interface Tiles {
  readonly as: 'tiles';
  /** Column that says what a row is; else each figure is a tile of its own. */
  readonly of?: string;
  /** Only below so many rows. */
  readonly below?: number;
  readonly figures: readonly {
    readonly value: string;
    readonly low?: string;
    readonly high?: string;
    readonly verdict?: string;
    readonly change?: string;
    readonly since?: string;
    /** Text beside it; of `alerts_en` on a Spanish page that of `alerts_es`. */
    readonly text?: string;
  }[];
}

/** Rows of another chart of the page, shown where the value of `by` is the same. */
export interface Opens {
  readonly chart: string;
  readonly by: string;
}

export type Form = Trend | Bars | Matrix | Table | Tiles;

export interface Chart {
  /** Of its statement too: `sql/dashboard/<name>.sql`, unless `statement` names another. */
  readonly name: string;
  readonly statement?: string;
  readonly page: PageName;
  /** `account`: of all clients of the account; `client`: of one client; `both`: also of what is the account's own. */
  readonly scope: 'account' | 'client' | 'both';
  /** The column by which a period narrows its rows. Undefined: they are as of now. */
  readonly dateColumn?: string;
  /** What it is called in lists and for screen readers. */
  readonly label: Words;
  /** What is measured, and its unit: `AI Rank, 0 to 100`. */
  readonly unit: Words;
  /** How to read it, where that is not plain. */
  readonly note?: Words;
  /** One sentence with the figure that matters. Rows are those of the period; never called without rows. */
  title(rows: readonly Fields[], telling: Telling): string;
  /** Its rows are opened by rows of another chart, and stand nowhere else. */
  readonly isOpened?: true;
  /** None: the sentence says it, and the figures are there to be opened. */
  readonly forms: readonly Form[];
}
