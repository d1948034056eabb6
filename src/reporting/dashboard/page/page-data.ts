// The data of a page, as the server sends it and a file holds it.
import type { ChartData, Language, Marker, PageName, Period } from '../charts/chart.ts';

export interface PageScope {
  /** `agency/c7`; `agency/` for the account itself. */
  readonly clientKey: string;
  readonly account: string;
  /** '' for the account itself. */
  readonly clientId: string;
  readonly name: string;
  readonly leftOn: string | null;
}

/**
 * Tells how current a scope's data is, from a client's own slices and its account's. For a client that left, only its
 * own count, as they were.
 */
export interface PageFreshness {
  readonly newest: string | null;
  readonly upToDate: number;
  readonly stale: number;
  readonly failed: number;
  readonly neverSynced: number;
  /** Nights of the period that no later sync can bring; null if none, or unreadable. */
  readonly missed: MissedNights | null;
}

export interface MissedNights {
  readonly dates: readonly string[];
  readonly streams: readonly string[];
}

export interface Overview {
  readonly language: Language;
  /** Accounts first, then their clients by name. */
  readonly scopes: readonly PageScope[];
  /** Dates that may have data; undefined if nothing is published. */
  readonly dates: Period | undefined;
  /** Time of reading, as `2026-04-03T07:00:00Z`. */
  readonly readAt: string;
}

export interface PageData {
  readonly page: PageName;
  readonly clientKey: string;
  /** Dates of the rows; choosing a shorter period narrows them further. */
  readonly period: Period;
  readonly charts: Readonly<Record<string, ChartData>>;
  readonly markers: readonly Marker[];
  readonly freshness: PageFreshness;
}
