// Draws that only this team makes.
import { chance } from '../english/kit.ts';
import type { Words } from '../kit.ts';

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
