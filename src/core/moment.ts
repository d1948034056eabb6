// Moments for people: UTC, to the minute.

/** `2026-07-16 00:00 UTC`. */
export function moment(iso: string | Date): string {
  return `${stamp(iso)} UTC`;
}

/** `2026-07-16 00:00`, for columns whose title says UTC. */
export function stamp(iso: string | Date): string {
  const text = typeof iso === 'string' ? new Date(iso).toISOString() : iso.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
