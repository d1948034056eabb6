// Finds the client that a name means, and whose rows may be shown. For a server that is bound to some
// clients, the name of any other is as unknown as one that nobody has.
import type pg from 'pg';
import { foldName } from '../../config/names.ts';
import { editDistance } from '../../config/nearest-name.ts';
import { readStatement } from '../../reporting/reader/statements.ts';
import { quoted, ToolError } from '../form/answer.ts';
import { readTexts } from './page.ts';

interface KnownClient {
  /** `account/client_id`; `account/` is the account itself. */
  readonly key: string;
  readonly account: string;
  readonly clientId: string;
  readonly name: string;
}

/** Clients by id, key or name; undefined: all of them, and the accounts. */
export type Bound = readonly string[] | undefined;

export interface Whose {
  /** Undefined: several, or all. */
  readonly one: KnownClient | undefined;
  /** Undefined: all. */
  readonly keys: readonly string[] | undefined;
  readonly isBound: boolean;
}

/** @throws ToolError where there is no such client, or more than one */
export async function findWhose(
  client: pg.ClientBase,
  bound: Bound,
  given: string | undefined,
): Promise<Whose> {
  if (bound === undefined && given === undefined) return { one: undefined, keys: undefined, isBound: false };
  const { text, values } = readStatement('mcp/scopes', {});
  const { rows } = await readTexts(client, text, values);
  const all = rows.map(([key, account, clientId, name]) => ({
    key: key ?? '',
    account: account ?? '',
    clientId: clientId ?? '',
    name: name ?? '',
  }));
  const shown = bound === undefined ? all : bound.map((one) => findClient(clientsOf(all), one));
  const isBound = bound !== undefined;
  if (given === undefined) {
    const [only, other] = shown;
    return { one: other === undefined ? only : undefined, keys: shown.map(({ key }) => key), isBound };
  }
  const one = findClient(shown, given);
  return { one, keys: [one.key], isBound };
}

const clientsOf = (all: readonly KnownClient[]) => all.filter(({ clientId }) => clientId !== '');

const ways: readonly ((client: KnownClient) => string)[] = [
  ({ key }) => key,
  ({ clientId }) => clientId,
  ({ name }) => name,
];

function findClient(all: readonly KnownClient[], given: string): KnownClient {
  for (const way of given === '' ? [] : ways) {
    const [only, ...others] = all.filter((client) => way(client) === given);
    if (only === undefined) continue;
    if (others.length === 0) return only;
    throw new ToolError(
      'ambiguous_client',
      `${others.length + 1} clients are called ${quoted(given)}.`,
      `Give one of these keys: ${[only, ...others]
        .slice(0, mostNamed)
        .map(({ key }) => quoted(key))
        .join(', ')}.`,
    );
  }
  const near = nearest(clientsOf(all), given).map(({ name, key }) => `${quoted(name)} (${quoted(key)})`);
  throw new ToolError(
    'unknown_client',
    `There is no client ${quoted(given)}.`,
    near.length === 0
      ? 'There are no clients yet; the first airank sync reads them.'
      : `Give an id or an exact name. The nearest: ${near.join(', ')}.`,
  );
}

const mostNamed = 5;

function nearest(all: readonly KnownClient[], given: string): readonly KnownClient[] {
  const wanted = foldName(given).slice(0, 100);
  const far = (client: KnownClient) => {
    const texts = ways.map((way) => foldName(way(client)));
    const holds = wanted.length > 2 && texts.some((text) => text.includes(wanted));
    return holds ? 0 : Math.min(...texts.map((text) => editDistance(wanted, text)));
  };
  const ranked = all.map((client) => ({ client, edits: far(client) })).sort((a, b) => a.edits - b.edits);
  return ranked.slice(0, mostNamed).map(({ client }) => client);
}

/** For the statements of sql/mcp: '' and {} are all. */
export function whoseParameters({ one, keys }: Whose): { account: string; client_id: string; keys: string } {
  return { account: one?.account ?? '', client_id: one?.clientId ?? '', keys: arrayLiteral(keys ?? []) };
}

/** Writes texts as a literal of a Postgres array. */
function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The condition on a view as x, whose parameters `add` numbers; undefined: all rows. */
export function whoseCondition({ one, keys }: Whose, add: (value: unknown) => string): string | undefined {
  if (one !== undefined) return `x.account = ${add(one.account)} and x.client_id = ${add(one.clientId)}`;
  return keys === undefined ? undefined : `x.client_key = any (${add(keys)}::text[])`;
}
