// Numbers that look random and are the same each time: a hash of what they are for.

type Part = string | number | null;

/** From 0 (included) to 1 (excluded). */
export function chance(...parts: readonly Part[]): number {
  let hash = 2166136261;
  for (const character of parts.join('|')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export function whole(from: number, to: number, ...parts: readonly Part[]): number {
  return from + Math.floor(chance(...parts) * (to - from + 1));
}

export function decimal(from: number, to: number, digits: number, ...parts: readonly Part[]): number {
  return Number((from + chance(...parts) * (to - from)).toFixed(digits));
}

export function pick<T>(list: readonly [T, ...T[]], ...parts: readonly Part[]): T {
  return list[Math.floor(chance(...parts) * list.length)] ?? list[0];
}

export function some<T>(list: readonly T[], share: number, ...parts: readonly Part[]): T[] {
  return list.filter((_, index) => chance(...parts, index) < share);
}

/** How far a value has moved since the first run date: most days not at all, at most half of `step` a day. */
export function moved(day: number, step: number, ...parts: readonly Part[]): number {
  let sum = 0;
  for (let date = 1; date <= day; date += 1) {
    if (chance('moves', date, ...parts) < 0.2) sum += (chance('by', date, ...parts) - 0.5) * step;
  }
  return sum;
}

export function uuid(...parts: readonly Part[]): string {
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
export function longNumber(...parts: readonly Part[]): string {
  const digits = (index: number) =>
    Math.floor(chance('long', index, ...parts) * 1e8)
      .toString()
      .padStart(8, '0');
  return `9${digits(0)}${digits(1)}7`;
}

export function checksum(...parts: readonly Part[]): string {
  return Math.floor(chance('checksum', ...parts) * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
