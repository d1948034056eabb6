// The input of a generator: the account, the day, and the amount of data. Days are counted from 1970-01-01.
import { dayMs } from '../../core/run-date.ts';
import type { Place, Sector } from './vocabulary.ts';

export interface Brand {
  /** 0 for the account's own brand, 1 … for its clients. */
  readonly index: number;
  /** `cliente` of the API; a number for some. Undefined for the account itself. */
  readonly id: string | number | undefined;
  readonly name: string;
  readonly sector: Sector;
  readonly place: Place;
  readonly domain: string;
  readonly publicId: string;
}

export interface Scope {
  readonly seed: number;
  readonly today: number;
  readonly since: number;
  readonly asked: number;
  /** Multiplies questions, archives and products; 1 is small. */
  readonly scale: number;
  readonly brand: Brand;
  readonly brands: readonly Brand[];
}

const dates = new Map<number, string>();

/** Writes a day as `YYYY-MM-DD`. */
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

/** Returns the day of a valid `YYYY-MM-DD`. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

/** Writes an instant like the API: whole seconds, UTC. */
export function instantOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Returns the instant `minutes` into a day. */
export function instantIn(day: number, minutes: number): string {
  return instantOf(day * dayMs + Math.floor(minutes) * 60_000);
}

/** Returns `cliente` as in account-wide records: the client's id, null for the account itself. */
export function clientOf(brand: Brand): string | number | null {
  return brand.id ?? null;
}

/** Scales a count by the size; at least one. */
export function scaled(scope: Scope, count: number): number {
  return Math.max(1, Math.round(count * scope.scale));
}

/** Returns the last weekday of the brand up to a day, on which its questions are asked and its weekly reports made. */
export function weekdayOf(brand: Brand, until: number): number {
  return until - ((((until - brand.index) % 7) + 7) % 7);
}
