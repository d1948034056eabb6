// A part of the world: some routes, and where the logical fields are in them.
import { chance } from '../english/kit.ts';
import type { Words } from '../kit.ts';
import type { Place, Routes, Truth } from '../world.ts';
import type { Owner } from './owners.ts';

// Dates as a Spanish team writes them.
const dayMs = 86_400_000;
const firstRunDate = Date.UTC(2026, 4, 18);
const months =
  'enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre'.split(',');

/** @param day 0: the first run date; below 0: before it */
export function at(day: number, hours = 7.2): number {
  return firstRunDate + day * dayMs + Math.round(hours * 3_600) * 1_000;
}

function parts(ms: number): { day: string; month: string; year: number; time: string } {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  return {
    day: two(date.getUTCDate()),
    month: two(date.getUTCMonth() + 1),
    year: date.getUTCFullYear(),
    time: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
  };
}

/** 03/04/2026 */
export function slashed(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${day}/${month}/${year}`;
}

/** 03/04/2026 09:30 */
export function slashedTime(ms: number): string {
  return `${slashed(ms)} ${parts(ms).time}`;
}

/** 03-04-2026 */
export function dashed(ms: number): string {
  return slashed(ms).replaceAll('/', '-');
}

/** 3 de abril de 2026 */
export function spoken(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${Number(day)} de ${months[Number(month) - 1]} de ${year}`;
}

/** 3 abr 2026 */
export function shortened(ms: number): string {
  const { day, month, year } = parts(ms);
  return `${Number(day)} ${months[Number(month) - 1]?.slice(0, 3)} ${year}`;
}

/** 2026-04-03 */
export function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** 2026-04-03T07:30:00.000Z */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** 2026-04-03T09:30:00+02:00 */
export function madridTime(ms: number): string {
  return `${new Date(ms + 7_200_000).toISOString().slice(0, 19)}+02:00`;
}

/** 2026-04-03 07:30:00 */
export function spacedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

export function within(low: number, high: number, number: number): number {
  return Math.min(high, Math.max(low, number));
}

// Draws that only this team makes.
export function some<T>(list: readonly T[], share: number, ...parts: Words): T[] {
  return list.filter((_, index) => chance(...parts, index) < share);
}

/** How far a value has moved since the first run date: most days not at all, at most half of `step` a day. */
export function moved(day: number, step: number, ...parts: Words): number {
  let sum = 0;
  for (let date = 1; date <= day; date += 1) {
    if (chance('moves', date, ...parts) < 0.2) sum += (chance('by', date, ...parts) - 0.5) * step;
  }
  return sum;
}

export function uuid(...parts: Words): string {
  const hex = [0, 1, 2, 3]
    .map((index) =>
      Math.floor(chance('uuid', index, ...parts) * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A whole number beyond 2^53, as text. */
export function longNumber(...parts: Words): string {
  const digits = (index: number) =>
    Math.floor(chance('long', index, ...parts) * 1e8)
      .toString()
      .padStart(8, '0');
  return `9${digits(0)}${digits(1)}7`;
}

export function checksum(...parts: Words): string {
  return Math.floor(chance('checksum', ...parts) * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

export interface Theme {
  readonly routes: Routes<Owner>;
  readonly truth: Truth;
}

export function is(...paths: string[]): Place {
  return { paths };
}

/** For a careful person too. */
export function unsure(...paths: string[]): Place {
  return { paths, isDoubtful: true };
}

/** Decimals with a comma that are never of the kind 1,234 or 1.234: they read alike without the reader. */
export function withComma(path: string): Place {
  return is(`${path} | comma`, path);
}

/** A list, of texts or of objects that this member names; joined as text all the same. */
export function listed(path: string, member?: string): Place {
  const each = member === undefined ? `${path}[]` : `${path}[].${member}`;
  return is(path, each, `${each} | join`);
}
