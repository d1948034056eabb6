// A number as people write it: what sync.number_in says in SQL.

/** What decimals follow. */
export type Mark = 'comma' | 'point';

const codes = 'eur|usd|gbp|chf|mxn|ars|clp|cop|pen|brl|uyu|cad|aud|jpy|cny|inr|sek|nok|dkk|pln';
const before = `([a-z]{0,3}[$]|[€£¥₹₺₽₩]|s/|${codes})`;
const after = `(%|[$€£¥₹₺₽₩]|${codes}|euros?)`;
const written = new RegExp(`^ *[+-]? *(${before} *)?[+-]?[0-9][0-9., ']* *${after}? *$`, 'i');
const decimalPoint = /^([0-9]{1,30}|[1-9][0-9]{0,2}(,[0-9]{3}){1,9})(\.[0-9]{1,30})?$/;
const decimalComma = /^([0-9]{1,30}|[1-9][0-9]{0,2}(\.[0-9]{3}){1,9})(,[0-9]{1,30})?$/;

/**
 * Every digit of it, as `-12.50`.
 * @param mark undefined: a text that could be two numbers is not read
 */
export function readNumber(text: string, mark: Mark | undefined): string | undefined {
  if (Buffer.byteLength(text) > 80) return undefined;
  const plain = text
    .replaceAll('\u2212', '-')
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replaceAll('\u2019', "'");
  if (!written.test(plain) || /[+-].*[+-]/.test(plain)) return undefined;
  const found = (/[0-9][0-9., ']*/.exec(plain)?.[0] ?? '').replace(/ +$/, '');
  const isGrouped = /[ ']/.test(found);
  if (isGrouped && !/^[1-9][0-9]{0,2}(( [0-9]{3})+|('[0-9]{3})+)([.,][0-9]+)?$/.test(found)) return undefined;
  if (!isGrouped && mark === undefined && /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(found)) return undefined;
  const digits = found.replaceAll(/[ ']/g, '');
  const sign = plain.includes('-') ? '-' : '';
  if (mark !== 'comma' && decimalPoint.test(digits)) return sign + digits.replaceAll(',', '');
  if (mark !== 'point' && decimalComma.test(digits)) {
    return sign + digits.replaceAll('.', '').replace(',', '.');
  }
  return undefined;
}
