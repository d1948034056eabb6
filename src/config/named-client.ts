// The client that somebody means: one rule for every command.
import { ConfigError } from '../core/errors.ts';
import { shown } from './fault.ts';
import { nearestName } from './nearest-name.ts';

export interface NamedClient {
  readonly account: string;
  /** '': the account itself, which is no client. */
  readonly clientId: string;
  readonly name: string;
}

const mostShown = 10;
const keyOf = ({ account, clientId }: NamedClient) => `${account}/${clientId}`;

/**
 * By account/id, by id, or by name in any case; the first of these that fits.
 * @param expected what is asked for, as `--client to be a client`
 * @throws ConfigError where none fits, or several do
 */
export function namedClient<Client extends NamedClient>(
  all: readonly Client[],
  given: string,
  expected: string,
): Client {
  const clients = all.filter(({ clientId }) => clientId !== '');
  const lower = given.toLocaleLowerCase();
  const ways: ((client: Client) => boolean)[] = [
    (client) => keyOf(client) === given,
    ({ clientId }) => clientId === given,
    ({ name }) => name === given,
    ({ name }) => name.toLocaleLowerCase() === lower,
  ];
  for (const way of ways) {
    const found = clients.filter(way);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1) {
      const keys = found.map(keyOf).join(', ');
      throw new ConfigError([
        `Expected one client, got ${shown(given)}, which ${found.length} are. Give one of ${keys}`,
      ]);
    }
  }
  throw new ConfigError([`Expected ${expected}, got ${shown(given)}. ${hintFor(clients, given)}`]);
}

function hintFor(clients: readonly NamedClient[], given: string): string {
  if (clients.length === 0) return 'There is none yet. Run: airank sync';
  const known = clients.flatMap((client) => [client.clientId, client.name, keyOf(client)]);
  const part = given.trim().toLocaleLowerCase();
  const holding = part.length < 3 ? undefined : known.find((name) => name.toLocaleLowerCase().includes(part));
  const near = holding ?? nearestName(given, known);
  if (near !== undefined) return `Did you mean ${near}?`;
  const more = clients.length > mostShown ? ` and ${clients.length - mostShown} more` : '';
  const some = clients.slice(0, mostShown).map(({ clientId, name }) => `${clientId} (${name})`);
  return `Known: ${some.join(', ')}${more}`;
}
