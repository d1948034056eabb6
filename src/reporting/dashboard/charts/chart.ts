// What a chart of the dashboard is: its rows, its words and its picture. Pure, and the same in Node and in a browser.
import type { EChartsOption } from 'echarts';
import type { Palette } from './palette.ts';

export type Language = 'en' | 'es';

/** A text in each language. */
export type Words = Readonly<Record<Language, string>>;

export const pageNames = ['portfolio', 'client', 'competition', 'questions', 'sources', 'business'] as const;
export type PageName = (typeof pageNames)[number];

/**
 * How a column is written. `score`: 0 to 100; `rate`: 0 to 1, shown as percent; `amount`: money, every digit shown;
 * `level`: a whole number that sorts.
 */
export type ColumnKind = 'date' | 'number' | 'score' | 'rate' | 'amount' | 'level' | 'text' | 'flag';

export interface Column {
  /** As the statement names it. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly label: Words;
  /** What values of a fixed list are called; others are shown as they are. */
  readonly words?: Readonly<Record<string, Words>>;
}

/** In the order of the columns, each value as Postgres writes it: `2026-04-03`, `54.1`, `true`; null: NULL. */
export type Row = readonly (string | null)[];

export interface ChartData {
  readonly rows: readonly Row[];
  /** Newest date of what the rows say, `2026-04-03`. */
  readonly asOf: string | null;
  /**
   * Why a chart may be empty. `not_mapped`: a field that it needs is not found in the data; `not_given`: its routes are
   * not available to the client, or have no records of it; `no_data`: nothing was published that it could show; `failed`: its statement did not end. Rows may be there beside `not_mapped`: the
   * fields of `missing` are what is not shown then.
   */
  readonly state: 'ready' | 'not_mapped' | 'not_given' | 'no_data' | 'failed';
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
}

/** How far the AI Rank of a client moved, by the rule of `bi.rank_latest`. */
export interface RankChange {
  readonly clientKey: string;
  readonly days: number;
  /** Of the newest comparable point, and of the one that it is compared with. */
  readonly date: string;
  readonly comparedDate: string;
  /** Points. */
  readonly change: number;
}

/** What a chart is drawn for. */
export interface DrawContext {
  readonly language: Language;
  readonly palette: Palette;
  readonly period: Period;
  /** The period beside it, where one is chosen. */
  readonly compare: Period | undefined;
  readonly markers: readonly Marker[];
  /** Over the length of the period; a year where a year before stands beside it. */
  readonly changes: readonly RankChange[];
  /** `agency/c7`: whose page it is. */
  readonly clientKey: string;
  readonly gaps: Gaps;
  /** Width of the picture in CSS pixels. */
  readonly widthPx: number;
}

/** One picture. Texts of the data stand in it as they are: whoever shows it must never read them as HTML. */
export type Drawing =
  | {
      readonly type: 'picture';
      /** What tells several pictures of one chart apart, such as a currency. */
      readonly caption?: string;
      readonly heightPx: number;
      readonly option: EChartsOption;
    }
  | { readonly type: 'tiles'; readonly tiles: readonly Tile[] }
  /** The rows are the picture: texts, verdicts. */
  | { readonly type: 'table' }
  /** Why there is no picture although there are rows, such as a sample that is too small. */
  | { readonly type: 'text'; readonly text: string };

/** One figure with what it was before. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  /** `+1.2`; undefined: nothing to compare with. */
  readonly change?: string;
  readonly direction?: 'up' | 'down' | 'same';
  /** What a change upwards means. Default good. */
  readonly up?: 'good' | 'bad' | 'neutral';
  readonly note?: string;
  /** Dates and values of a small line; null: a gap. */
  readonly line?: readonly (readonly [date: string, value: number | null])[];
  /** `agency/c7`: where the tile leads. */
  readonly clientKey?: string;
}

export interface Chart {
  /** Of its statement too: `sql/dashboard/<name>.sql`. */
  readonly name: string;
  readonly page: PageName;
  /** `account`: of all clients of the account; `client`: of one client. */
  readonly scope: 'account' | 'client';
  /** The views that its statement reads, as `bi.rank_trend`. */
  readonly views: readonly string[];
  readonly columns: readonly Column[];
  /** The column by which a period narrows its rows. Undefined: they are as of now. */
  readonly dateColumn?: string;
  /** Newest date of what the rows say. Undefined: that of `run_date`, else of `dateColumn`. */
  readonly asOf?: (rows: readonly Row[]) => string | null;
  /** What it is called in lists and for screen readers. */
  readonly label: Words;
  /** What is measured, and its unit: `AI Rank, 0 to 100`. */
  readonly unit: Words;
  /** The title: one sentence with the figure that matters. Rows are those of the period; never called without rows. */
  title(rows: readonly Row[], context: DrawContext): string;
  /** How to read it, where that is not plain. */
  readonly note?: Words;
  /** @param rows of the period and, where one is chosen, of the period beside it */
  draw(rows: readonly Row[], context: DrawContext): readonly Drawing[];
}
