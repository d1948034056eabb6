// Replaces secrets that are known, in the forms in which they turn up in texts.

export const mark = '[secret]';

const shortest = 4;
// From this length on a secret is replaced also inside a longer word.
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

/**
 * Returns a function that replaces these secrets in a text, in any letter case, percent-encoded (also
 * twice), JSON-escaped or in base64. Secrets of fewer than 4 characters are ignored, those of fewer than
 * 8 are replaced as whole words only: replacing them everywhere would destroy the text around them.
 */
export function replaceSecrets(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  if (known.length === 0) return (text) => text;
  const encoded = known
    .filter((secret) => secret.length >= safeInWords)
    .map((secret) => Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''));
  const longestFirst = [...known, ...encoded].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'gi');
  return (text) => text.replace(pattern, mark);
}
