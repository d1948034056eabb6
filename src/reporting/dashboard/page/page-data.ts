// The data of a page, as the server sends it and as a file holds it.
import type { ChartData, Language, Marker, PageName, Period } from '../charts/chart.ts';

/** An account or client whose figures a page may show. */
export interface PageScope {
  /** `agency/c7`; `agency/`: the account itself. */
  readonly clientKey: string;
  readonly account: string;
  /** '': the account itself. */
  readonly clientId: string;
  readonly name: string;
  /** Since when it is no longer listed. */
  readonly leftOn: string | null;
}

/** How far the data of a scope is: of a client its own slices and its account's; of one that left its own, as they were. */
export interface PageFreshness {
  /** Newest run date that is published; null: none ever was. */
  readonly newest: string | null;
  /** Slices, by what is so of them now. */
  readonly upToDate: number;
  readonly stale: number;
  readonly failed: number;
  readonly neverSynced: number;
  /** Nights of the period that no later sync brings; null: none, or they could not be read. */
  readonly missed: MissedNights | null;
}

export interface MissedNights {
  /** The oldest first. */
  readonly dates: readonly string[];
  readonly streams: readonly string[];
}

/** Everything that a reader can choose from. */
export interface Overview {
  readonly language: Language;
  /** Accounts first, then their clients by name. */
  readonly scopes: readonly PageScope[];
  /** Dates of which there may be data. Undefined: nothing is published. */
  readonly dates: Period | undefined;
  /** When it was read, as `2026-04-03T07:00:00Z`. */
  readonly readAt: string;
}

export interface PageData {
  readonly page: PageName;
  readonly clientKey: string;
  /** Dates of the rows; a shorter period that is chosen narrows them further. */
  readonly period: Period;
  /** By name of the chart. */
  readonly charts: Readonly<Record<string, ChartData>>;
  readonly markers: readonly Marker[];
  readonly freshness: PageFreshness;
}
