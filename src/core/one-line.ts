// A text of others as one line: what breaks lines or turns the direction of writing becomes a blank.

/** Joiners stay: letters of some languages and emoji are made with them. */
const breaks = /(?:[\p{Cc}\p{Surrogate}\s]|(?![\u200c\u200d])\p{Cf})+/gu;

/** @param most characters of it */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(breaks, ' ').trim();
  return most === Number.POSITIVE_INFINITY ? line : [...line].slice(0, most).join('');
}
