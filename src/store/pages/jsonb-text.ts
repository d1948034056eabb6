// What JSON can say and jsonb cannot hold is replaced in the text, place by place, and counted:
// \u0000 and lone surrogates become U+FFFD, a number beyond numeric's range becomes a string.
// Everything else reaches Postgres as the server sent it.

export interface JsonbText {
  readonly text: string;
  /** Values or escapes that had to be replaced. */
  readonly replaced: number;
}

// Limits of Postgres numeric: digits before and after the decimal point (PostgreSQL manual, Numeric Types).
const maxIntegerDigits = 131_072;
const maxFractionDigits = 16_383;
// Postgres reads exponents as 32-bit integers and stops at half of their range, even for a zero.
const maxExponent = 1_000_000_000;

const suspiciousEscape = /\\u(?:0000|[dD][89a-fA-F])/;
// Misses no number beyond the limits: fewer than 100 digits on each side of the point, with an exponent of at most
// three figures, give fewer than 1,100 digits before or after it. Short, because the search looks that far from
// every digit.
const suspiciousNumber = /\d[eE][+-]?\d{4,}|\d{100}/;
const escapes = /\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|.)/g;

/** `text` must be valid JSON. */
export function toJsonbText(text: string): JsonbText {
  let replaced = 0;
  let clean = text;
  if (suspiciousEscape.test(clean)) {
    clean = clean.replace(escapes, (found: string, first?: string, second?: string) => {
      if (first === undefined) return found;
      const unit = Number.parseInt(first, 16);
      const high = unit >= 0xd800 && unit <= 0xdbff;
      if (high && second !== undefined) return found;
      const low = unit >= 0xdc00 && unit <= 0xdfff;
      const bad = unit === 0 || high || low;
      if (bad) replaced += 1;
      // A low surrogate without a high one before it is a lone one too.
      if (second !== undefined) replaced += 1;
      return (bad ? '\\ufffd' : `\\u${first}`) + (second === undefined ? '' : '\\ufffd');
    });
  }
  if (suspiciousNumber.test(clean)) {
    const numbers = quoteHugeNumbers(clean);
    clean = numbers.text;
    replaced += numbers.replaced;
  }
  return { text: clean, replaced };
}

function quoteHugeNumbers(text: string): JsonbText {
  const parts: string[] = [];
  let replaced = 0;
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, at);
      if (end - at > 5 && !fitsNumeric(text.slice(at, end))) {
        parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
        replaced += 1;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), replaced };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return at + 1;
    at += char === 0x5c ? 2 : 1;
  }
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && '0123456789+-.eE'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Whether Postgres numeric takes the literal without loss. */
export function fitsNumeric(literal: string): boolean {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (match === null) return true;
  const [, integer = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const significant = (integer + fraction).replace(/^0+/, '');
  const leadingZeros = integer.length + fraction.length - significant.length;
  const integerDigits = significant === '' ? 0 : integer.length - leadingZeros + exponent;
  const fractionDigits = fraction.length - exponent;
  return integerDigits <= maxIntegerDigits && fractionDigits <= maxFractionDigits && exponent < maxExponent;
}
