// Counts in texts for people: grouped digits, and the right form of the noun.

/** 12345 as `12,345`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** 1 slice, 2 slices. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
