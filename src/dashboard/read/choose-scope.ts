// The client whose pages somebody wants.
import { namedClient } from '../../config/named-client.ts';
import type { Scope } from '../page/page-data.ts';

/** @throws ConfigError where there is none, or more than one */
export function chooseScope(scopes: readonly Scope[], given: string): Scope {
  return namedClient(scopes, given, 'a client of bi.clients');
}
