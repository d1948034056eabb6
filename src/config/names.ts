// Finds the client or account that a written name means.
import { ConfigError } from '../core/errors.ts';
import { cutText, named, oneLine } from '../core/text.ts';
import type { AccountConfig } from './config.ts';
import { shown } from './fault.ts';
import { editDistance, hintOf, nearestName } from './nearest-name.ts';

/** Folds a name for comparison: without capitals, accents and extra spaces. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A client that can be named, by one rule for every command. */
export interface NamedClient {
  readonly account: string;
  /** '': the account itself, which is no client. */
  readonly clientId: string;
  readonly name: string;
}

const mostNamed = 5;
const longestName = 60;
/** Shortest part of a name that can mean a client. */
const shortestPart = 3;

/** Ways to name a client, tried in turn: first as written, then folded. */
const ways: readonly ((client: NamedClient) => string)[] = [
  keyOf,
  ({ clientId }) => clientId,
  ({ name }) => name,
];

/**
 * @param expected what was asked for, as `--client to be a client`
 * @throws ConfigError if the name means no client, or several
 */
export function namedClient<Client extends NamedClient>(
  all: readonly Client[],
  given: string,
  expected: string,
): Client {
  const clients = all.filter(({ clientId }) => clientId !== '');
  for (const way of given.trim() === '' ? [] : ways) {
    for (const folded of [false, true]) {
      const as = (text: string) => (folded ? foldName(text) : text);
      const found = clients.filter((client) => as(way(client)) === as(given));
      const [only, other] = found;
      if (only !== undefined && other === undefined) return only;
      if (only === undefined) continue;
      const keys = found.map(keyOf).join(', ');
      throw new ConfigError([
        `Expected one client, got ${shown(given)}, which means ${found.length}. Use one of ${keys}`,
      ]);
    }
  }
  throw new ConfigError([`Expected ${expected}, got ${shown(given)}. ${clientsNear(clients, given)}`]);
}

function keyOf({ account, clientId }: NamedClient): string {
  return `${account}/${clientId}`;
}

/** Names with ids, the nearest first. */
function clientsNear(clients: readonly NamedClient[], given: string): string {
  if (clients.length === 0) return 'There are no clients yet. Run: airank sync';
  const several = new Set(clients.map(({ account }) => account)).size > 1;
  const text = (client: NamedClient) => {
    const key = plain(several ? keyOf(client) : client.clientId);
    return client.name === client.clientId ? key : `${plain(client.name)} (${key})`;
  };
  const wanted = foldName(given);
  const ranked = clients
    .map((client) => ({ client, ...nearnessOf(client, wanted) }))
    .sort((a, b) => Number(b.isNear) - Number(a.isNear) || a.edits - b.edits);
  const [first, ...rest] = ranked;
  const others = first?.isNear ? rest : ranked;
  const list = named(
    others.map(({ client }) => text(client)),
    mostNamed,
  );
  if (!first?.isNear) return `There are: ${list}`;
  return `Did you mean ${text(first.client)}?${list === '' ? '' : ` There are also: ${list}`}`;
}

function nearnessOf(client: NamedClient, wanted: string): { isNear: boolean; edits: number } {
  const known = ways.map((way) => foldName(way(client)));
  const holds = wanted.length >= shortestPart && known.some((text) => text.includes(wanted));
  const isNear = holds || (wanted !== '' && nearestName(wanted, known) !== undefined);
  return { isNear, edits: holds ? 0 : Math.min(...known.map((text) => editDistance(wanted, text))) };
}

const plain = (text: string) => cutText(oneLine(text), longestName);

/** @throws ConfigError if no account has the name, or none is given and there are several */
export function configuredAccount(
  accounts: readonly AccountConfig[],
  flag: string | undefined,
  name = '--account',
): AccountConfig {
  const names = accounts.map(({ name }) => name);
  const [only, another] = accounts;
  if (flag === undefined && only !== undefined && another === undefined) return only;
  const chosen = accounts.find(({ name }) => name === flag);
  if (chosen !== undefined) return chosen;
  const expected = `Expected ${name} to be one of ${names.join(', ')}`;
  if (flag === undefined) throw new ConfigError([`${expected}, got nothing`]);
  throw new ConfigError([`${expected}, got "${flag}"${hintOf(flag, names)}`]);
}
