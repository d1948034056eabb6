// The client that somebody means, by key, identifier or name.
import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Scope } from '../page/page-data.ts';

/** @throws ConfigError where there is none, or more than one */
export function chooseScope(scopes: readonly Scope[], given: string): Scope {
  const clients = scopes.filter(({ clientId }) => clientId !== '');
  const by = (same: (scope: Scope) => boolean) => clients.filter(same);
  const found = [
    by(({ clientKey }) => clientKey === given),
    by(({ clientId }) => clientId === given),
    by(({ name }) => name.toLowerCase() === given.toLowerCase()),
  ].find((some) => some.length > 0);
  const [only, other] = found ?? [];
  if (only !== undefined && other === undefined) return only;
  const expected = `Expected a client of bi.clients, got "${given}"`;
  if (found !== undefined) {
    throw new ConfigError([
      `${expected}, which are several: ${found.map((one) => one.clientKey).join(', ')}`,
    ]);
  }
  const near = didYouMean(given, [
    ...new Set(clients.flatMap((one) => [one.clientKey, one.clientId, one.name])),
  ]);
  const some = clients.slice(0, 5).map((one) => `${one.clientId} (${one.name})`);
  const fix =
    near ?? (some.length === 0 ? 'There is none yet. Run: airank sync' : `There are: ${some.join(', ')}`);
  throw new ConfigError([`${expected}. ${fix}`]);
}
