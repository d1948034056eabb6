// Finds the list in a body of a route for which the reference gives no list key.
import { paginationKey } from '../pagination-key.ts';
import type { Stream } from '../stream.ts';

export type FoundList =
  /** The list is under this key. */
  | { readonly kind: 'key'; readonly key: string }
  /** The body itself is the list. */
  | { readonly kind: 'body' }
  /** Cannot tell; the top-level keys that hold arrays. */
  | { readonly kind: 'unclear'; readonly arrays: readonly string[]; readonly keys: readonly string[] };

/**
 * The one top-level array beside `paginacion`; else the key that equals the route's last part. A list may
 * come as null: under that key it is the list whatever else is an array, and so is a null that comes alone.
 */
export function findList(stream: Pick<Stream, 'route'>, body: unknown): FoundList {
  if (Array.isArray(body)) return { kind: 'body' };
  if (typeof body !== 'object' || body === null) return { kind: 'unclear', arrays: [], keys: [] };
  const keys = Object.keys(body).filter((key) => key !== paginationKey);
  const arrays = Object.entries(body).flatMap(([key, value]) =>
    key !== paginationKey && Array.isArray(value) ? [key] : [],
  );
  const nulls = Object.entries(body).flatMap(([key, value]) => (value === null ? [key] : []));
  const last = stream.route.split('/').at(-1) ?? stream.route;
  if (nulls.includes(last)) return { kind: 'key', key: last };
  const [only, ...others] = arrays;
  if (only !== undefined && others.length === 0) return { kind: 'key', key: only };
  if (keys.includes(last)) return { kind: 'key', key: last };
  const [alone, ...more] = keys;
  if (alone !== undefined && more.length === 0 && nulls.includes(alone)) return { kind: 'key', key: alone };
  return { kind: 'unclear', arrays, keys };
}
