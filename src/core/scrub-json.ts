// Scrubs a value parsed from JSON, by names and by texts; what comes out is JSON again.
import { isObject } from './is-object.ts';
import { mark } from './known-secrets.ts';
import { isSecretName } from './secret-names.ts';

type Scrub = (text: string) => string;

/** Everything below a secret name, but null, true, false and small counts. */
function blot(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : mark;
  if (typeof value === 'number') return Math.abs(value) < 1e6 ? value : mark;
  if (Array.isArray(value)) return value.map(blot);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, blot(part)]));
  return value;
}

function scrubNumber(value: number, scrub: Scrub): unknown {
  const text = String(value);
  return scrub(text) === text ? value : mark;
}

/** Header lists come flat: `["X-API-Key", "…", "Accept", "…"]`. */
function scrubList(list: readonly unknown[], scrub: Scrub): unknown[] {
  return list.map((part, index) => {
    const before = list[index - 1];
    const follows = typeof before === 'string' && isSecretName(before) && typeof part === 'string';
    return follows ? blot(part) : scrubJson(part, scrub);
  });
}

/** `{ name: "authorization", value: "…" }`: the name of the secret is itself a value. */
function namesSecret(value: Record<string, unknown>): boolean {
  const { name, key, header } = value;
  return [name, key, header].some((part) => typeof part === 'string' && isSecretName(part));
}

export function scrubJson(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') return scrubNumber(value, scrub);
  if (Array.isArray(value)) return scrubList(value, scrub);
  if (!isObject(value)) return value;
  const named = namesSecret(value);
  const pairs = Object.entries(value).map(([key, part]) => {
    const secret = isSecretName(key) || (named && key === 'value');
    return [scrub(key), secret ? blot(part) : scrubJson(part, scrub)];
  });
  return Object.fromEntries(pairs);
}
