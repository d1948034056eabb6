// Whose pages an address asks for. People write and send addresses, so a client may stand there by its id or name alone.
import { namedClient } from '../../../config/names.ts';
import type { PageScope } from './page-data.ts';

export interface ScopeInAddress {
  readonly scope: PageScope;
  /** The address names somebody who is not here: `scope` is the first one there is, and not meant. */
  readonly isUnknown: boolean;
}

/** Undefined: there is nothing at all. */
export function scopeInAddress(
  scopes: readonly PageScope[],
  given: string | undefined,
): ScopeInAddress | undefined {
  const [first] = scopes;
  if (first === undefined) return undefined;
  if (given === undefined) return { scope: first, isUnknown: false };
  const scope = scopes.find(({ clientKey }) => clientKey === given) ?? namedScope(scopes, given);
  return { scope: scope ?? first, isUnknown: scope === undefined };
}

function namedScope(scopes: readonly PageScope[], given: string): PageScope | undefined {
  try {
    return namedClient(scopes, given, 'a client');
  } catch {
    // None, or several.
    return undefined;
  }
}
