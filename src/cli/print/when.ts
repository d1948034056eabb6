// Moments for people: UTC, to the minute.
import { plural } from '../../core/plural.ts';

/** `2026-07-16 00:00 UTC`. */
export function moment(iso: string | Date): string {
  return `${stamp(iso)} UTC`;
}

/** `2026-07-16 00:00`, for columns whose title says UTC. */
export function stamp(iso: string | Date): string {
  const text = typeof iso === 'string' ? new Date(iso).toISOString() : iso.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/** 0 as `today`, 1 as `yesterday`, 3 as `3 days ago`, -2 as `in 2 days`. */
export function dayText(days: number): string {
  if (days < 0) return `in ${plural(-days, 'day')}`;
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
