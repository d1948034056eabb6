// Currencies as people write them.

/**
 * Spellings of the currencies that companies trade in, as alternatives of a regular expression without regard to
 * letter case, for Postgres and JavaScript alike: signs, ISO 4217, words.
 */
export const currencies =
  '[$€£¥₹₺₽₩]|eur|usd|gbp|chf|mxn|ars|clp|cop|pen|brl|uyu|bob|pyg|cad|aud|nzd|jpy|cny|inr|sek|nok|dkk|pln|czk|huf|ron|try|zar|krw|sgd|hkd|aed|sar|mad|ils|thb|euros?|d[oóÓ]lar(?:es)?';
