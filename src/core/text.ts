// Texts: one line of what others wrote, their JSON, escapes for HTML and chats, patterns of names and currencies, and
// counts and moments as people read them.

/** Joiners stay: letters of some languages and emoji are made with them. */
const breaks = /(?:[\p{Cc}\p{Surrogate}\s]|(?![\u200c\u200d])\p{Cf})+/gu;

/** @param most characters of it */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(breaks, ' ').trim();
  return most === Number.POSITIVE_INFINITY ? line : [...line].slice(0, most).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As it may stand in HTML and SVG, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

const mostLines = 30;

/** A message that nobody can read is no message: what is too much is counted. */
export function firstLines(
  all: readonly string[],
  more = (hidden: number) => `… and ${hidden} more`,
): readonly string[] {
  return all.length <= mostLines ? all : [...all.slice(0, mostLines), more(all.length - mostLines)];
}

/** A message as Slack, Mattermost and Rocket.Chat take it. The three characters that Slack takes for markup are text. */
export function slackBody(lines: readonly string[]): { readonly text: string } {
  const escaped = lines.map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return { text: escaped.join('\n') };
}

/** Whether a name fits a pattern with `*` (anything) and `?` (one character). */
export function namePattern(pattern: string): (name: string) => boolean {
  const source = [...pattern]
    .map((character) => (character === '*' ? '.*' : character === '?' ? '.' : escaped(character)))
    .join('');
  const expression = new RegExp(`^${source}$`, 'su');
  return (name) => expression.test(name);
}

function escaped(character: string): string {
  return character.replace(/[\\^$.|?*+()[\]{}/]/, '\\$&');
}

/** FNV-1a over UTF-16 code units, 32 bits: the same text gives the same number in every process. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** `2026-07-16 00:00 UTC`. */
export function moment(iso: string | Date): string {
  return `${stamp(iso)} UTC`;
}

/** `2026-07-16 00:00`, for columns whose title says UTC. */
export function stamp(iso: string | Date): string {
  const text = typeof iso === 'string' ? new Date(iso).toISOString() : iso.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/** 12345 as `12,345`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** 1 slice, 2 slices. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object of JSON: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * How people write the currencies that companies trade in, as alternatives of a regular expression without regard to
 * letter case, for Postgres and JavaScript alike: signs, ISO 4217, words.
 */
export const currencies =
  '[$€£¥₹₺₽₩]|eur|usd|gbp|chf|mxn|ars|clp|cop|pen|brl|uyu|bob|pyg|cad|aud|nzd|jpy|cny|inr|sek|nok|dkk|pln|czk|huf|ron|try|zar|krw|sgd|hkd|aed|sar|mad|ils|thb|euros?|d[oóÓ]lar(?:es)?';
