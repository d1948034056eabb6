// Texts: one line of what others wrote, and counts, sizes, times and moments as people read them.

/** Joiners stay: letters of some languages and emoji are made with them. */
const breaks = /(?:[\p{Cc}\p{Surrogate}\s]|(?![\u200c\u200d])\p{Cf})+/gu;

/** @param most characters of it */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(breaks, ' ').trim();
  return most === Number.POSITIVE_INFINITY ? line : [...line].slice(0, most).join('');
}

/** Cuts to one line of at most this many characters, with `…` if it was longer; never halves an emoji. */
export function cutText(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= most) return characters.join('');
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

/** `a, b and 20 more`. */
export function named(names: readonly string[], most: number, between = ', '): string {
  const hidden = names.length - most;
  return `${names.slice(0, most).join(between)}${hidden > 0 ? ` and ${count(hidden)} more` : ''}`;
}

/** `2026-07-16 00:00 UTC`. */
export function moment(iso: string | Date): string {
  const text = new Date(iso).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}

/** `16 Jul 02:00`, by the clock of a time zone. */
export function clockIn(timeZone: string, iso: string | Date): string {
  const shown = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  return new Date(iso).toLocaleString('en-GB', { timeZone, ...shown }).replace(',', '');
}

/** `16 Jul 02:00 (Europe/Madrid)`. */
export const momentIn = (timeZone: string, iso: string | Date) => `${clockIn(timeZone, iso)} (${timeZone})`;

/** 12345 as `12,345`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** 1 slice, 2 slices. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 95,000 as `1 min 35 s`; at most two units. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const two = (one: string, value: number, unit: string) => (value === 0 ? one : `${one} ${value} ${unit}`);
  if (minutes < 60) return two(`${minutes} min`, seconds % 60, 's');
  return two(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

/** 1,234,567 as `1.2 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
  return `${power === 0 ? value : (value / 1000 ** power).toFixed(1)} ${units[power]}`;
}
