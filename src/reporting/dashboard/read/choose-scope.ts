// The client whose pages somebody wants.
import { namedClient } from '../../../config/names.ts';
import type { PageScope } from '../page/page-data.ts';

/** @throws ConfigError where there is none, or more than one */
export function chooseScope(scopes: readonly PageScope[], given: string): PageScope {
  return namedClient(scopes, given, 'a client of bi.clients');
}
