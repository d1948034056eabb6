// Values in quotes, as Apache and nginx write them: `\"`, `\\`, `\x22`, `\t`.

const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** Bytes that come as `\xC3\xB1` are UTF-8. */
export function unescapeQuoted(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/(?:\\x[0-9A-Fa-f]{2})+|\\(.)/gs, (all: string, letter: string | undefined) => {
    if (letter === undefined) return Buffer.from(all.replaceAll('\\x', ''), 'hex').toString('utf8');
    return named[letter] ?? letter;
  });
}

/** The same, to be written between quotes on one line. */
export function escapeQuoted(text: string): string {
  if (!/[^ !#-[\]-~]/.test(text)) return text;
  return text.replaceAll(/["\\\p{Cc}\u2028\u2029]/gu, (letter) => {
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return [...Buffer.from(letter)]
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join('');
  });
}
