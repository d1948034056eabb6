// Replaces known secrets, in the forms in which they turn up in texts. Looks only for secrets whose letters the text
// holds: one pattern for all keys of a platform takes milliseconds a line, and is refused from some thousand keys on.

import { groupBy } from './group-by.ts';

export const mark = '[secret]';

const shortest = 4;
/** From this length on a secret is replaced also inside a longer word. */
const safeInWords = 8;

function percentEncoded(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')];
  // `(?:25)*`: encoded again with the address around it.
  return bytes.map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join('');
}

function jsonEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\\\{1,8}u${unit.toString(16).padStart(4, '0')}`).join('');
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Each character plain, percent-encoded, as \u escape or after a backslash; forms may mix. */
function patternOf(secret: string): string {
  const forms = [...secret].map((character) => {
    const plain = character === '\\' ? '\\\\{1,8}' : literal(character);
    const escaped = character === '"' || character === '/' ? `\\\\{0,8}${plain}` : plain;
    return `(?:${escaped}|${percentEncoded(character)}|${jsonEscaped(character)}${character === ' ' ? '|\\+' : ''})`;
  });
  const text = forms.join('');
  return secret.length < safeInWords ? `(?<![A-Za-z0-9])${text}(?![A-Za-z0-9])` : text;
}

/** Letters and digits that are encoded although they need not be. */
const encodedLetter = /(?:%(?:25)*|\\{1,8}u00)(3[0-9]|[46][1-9a-f]|[57][0-9a])/gi;

interface Known {
  readonly secret: string;
  /** Runs of letters and digits, the longest first: no usual way of writing a text takes them apart. */
  readonly runs: readonly string[];
  pattern?: RegExp;
}

function knownOf(secret: string): Known {
  const runs = secret.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return { secret, runs: runs.sort((a, b) => b.length - a.length) };
}

/** Returns the first letters of the longest run; '': it is shorter. */
const startOf = ({ runs: [longest = ''] }: Known) =>
  longest.length < shortest ? '' : longest.slice(0, shortest);

function heldIn(text: string, byStart: ReadonlyMap<string, readonly Known[]>): Known[] {
  const letters = text.toLowerCase();
  const starts = new Set(['']);
  for (const [run] of letters.matchAll(/[a-z0-9]{4,}/g))
    for (let at = 0; at + shortest <= run.length; at += 1) starts.add(run.slice(at, at + shortest));
  return [...starts]
    .flatMap((start) => byStart.get(start) ?? [])
    .filter(({ runs }) => runs.every((run) => letters.includes(run)));
}

/**
 * Returns a function that replaces these secrets in a text, in any letter case, percent-encoded (also
 * twice), JSON-escaped or in base64. Secrets of fewer than 4 characters are ignored, those of fewer than
 * 8 are replaced as whole words only: replacing them everywhere would destroy the text around them.
 */
export function replaceSecrets(secrets: readonly string[]): (text: string) => string {
  const plain = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  const inBase64 = plain
    .filter((secret) => secret.length >= safeInWords)
    .map((secret) => Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''));
  const byStart = groupBy([...plain, ...inBase64].map(knownOf), startOf);
  return (text) => {
    const decoded = text.replace(encodedLetter, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    const texts = decoded === text ? [text] : [text, decoded];
    const held = new Set(texts.flatMap((one) => heldIn(one, byStart)));
    const longestFirst = [...held].sort((a, b) => b.secret.length - a.secret.length);
    return longestFirst.reduce((clean, one) => {
      one.pattern ??= new RegExp(patternOf(one.secret), 'gi');
      return clean.replace(one.pattern, mark);
    }, text);
  };
}
