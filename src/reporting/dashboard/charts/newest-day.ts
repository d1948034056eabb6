// The newest of some days and moments.

/** `2026-04-03`; a moment is of its day. Null: there is none. */
export function newestDay(dates: readonly (string | null)[]): string | null {
  let newest: string | null = null;
  for (const date of dates) {
    const day = date?.slice(0, 10);
    if (day !== undefined && (newest === null || day > newest)) newest = day;
  }
  return newest;
}
