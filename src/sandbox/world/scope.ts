// The input of a generator: the account, the day, and the amount of data. Days are counted from 1970-01-01.
import { dayMs } from '../../core/run-date.ts';
import type { Place, Sector } from './vocabulary.ts';

export interface Brand {
  /** 0 is the account's own brand, 1 … its clients. */
  readonly index: number;
  /** `cliente` of the API; a number for some. Undefined for the account itself. */
  readonly id: string | number | undefined;
  readonly name: string;
  readonly sector: Sector;
  readonly place: Place;
  readonly domain: string;
  /** Identifier of the public result (`airank/:id`). */
  readonly publicId: string;
}

export interface Scope {
  readonly seed: number;
  readonly today: number;
  readonly since: number;
  /** The day from which the panel's questions are asked. */
  readonly asked: number;
  /** 1 is small; multiplies questions, archives and products. */
  readonly scale: number;
  readonly brand: Brand;
  readonly brands: readonly Brand[];
}

const dates = new Map<number, string>();

/** `YYYY-MM-DD` of a day. */
export function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    date = new Date(day * dayMs).toISOString().slice(0, 10);
    // A sandbox sees some hundred days; the bound only guards against a caller that tries them all.
    if (dates.size > 20_000) dates.clear();
    dates.set(day, date);
  }
  return date;
}

/** The day of a valid `YYYY-MM-DD`. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

/** An instant as the API writes it: whole seconds, UTC. */
export function instantOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** The instant `minutes` into a day. */
export function instantIn(day: number, minutes: number): string {
  return instantOf(day * dayMs + Math.floor(minutes) * 60_000);
}

/** How `cliente` is written inside account-wide records: the client's id, null for the account itself. */
export function clientOf(brand: Brand): string | number | null {
  return brand.id ?? null;
}

/** A count that grows with the size, at least one. */
export function scaled(scope: Scope, count: number): number {
  return Math.max(1, Math.round(count * scope.scale));
}

/** A brand's own weekday up to a day: when its questions were asked, and its reports of a week were made. */
export function weekdayOf(brand: Brand, until: number): number {
  return until - ((((until - brand.index) % 7) + 7) % 7);
}
