// --clients of airank prune: each names one that has data, by its identifier in any account, or as everywhere.
import { type NamedClient, namedClient } from '../../config/named-client.ts';
import { ConfigError } from '../../core/errors.ts';
import { list } from './selection.ts';

/**
 * Identifiers. Undefined: not given.
 * @throws ConfigError with every one that nobody has
 */
export function readPrunedClients(
  flag: string | undefined,
  known: readonly NamedClient[],
): readonly string[] | undefined {
  const given = list(flag);
  if (given === undefined) return undefined;
  const faults: string[] =
    given.length === 0 ? ['Expected --clients to name at least one client, got none'] : [];
  const found = given.flatMap((text) => {
    if (text !== '' && known.some(({ clientId }) => clientId === text)) return [text];
    try {
      return [namedClient(known, text, '--clients to be identifiers or names of clients').clientId];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return [...new Set(found)];
}
