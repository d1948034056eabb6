// Which field, header and parameter names hold a secret. Counters such as `tokens` do not.

const lastWords = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'apikey',
  'token',
];
const lastPairs = ['api key', 'private key', 'access key', 'secret key', 'set cookie'];
const plural = /^(passwords|secrets|cookies|apikeys)$/;

/** `maxRetryToken`, `X-API-Key`, `api_key` → lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** True for `password`, `X-API-Key`, `accessToken`; false for `tokens`, `token_count`, `api_key_env`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  if (lastWords.includes(last) || plural.test(last)) return true;
  const pair = words.slice(-2).join(' ').replace(/s$/, '');
  return lastPairs.includes(pair);
}
