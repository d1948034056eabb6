// --clients: each names one that is known, by its identifier in any account, or as everywhere.
import { type NamedClient, namedClient } from '../../config/named-client.ts';
import { ConfigError } from '../../core/errors.ts';
import { readListedClients } from '../../sync/plan/listed-clients.ts';
import { readClientNames } from '../../warehouse/alerts/read-client-names.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import { accountsThatForgot } from '../../warehouse/forget/block-client.ts';
import { list, type Selection } from './selection.ts';

/**
 * Undefined: not given.
 * @throws ConfigError with every one that nobody has
 */
export function readNamedClients(
  flag: string | undefined,
  known: readonly NamedClient[],
): readonly NamedClient[] | undefined {
  const given = list(flag);
  if (given === undefined) return undefined;
  const faults: string[] =
    given.length === 0 ? ['Expected --clients to name at least one client, got none'] : [];
  const found = given.flatMap((text) => {
    try {
      return withName(known, text, '--clients to be identifiers or names of clients');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return [];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return found;
}

/** An identifier means those of every account that has it. @throws ConfigError where there is none */
export function withName(
  known: readonly NamedClient[],
  text: string,
  expected: string,
): readonly NamedClient[] {
  const those = text === '' ? [] : known.filter(({ clientId }) => clientId === text);
  return those.length > 0 ? those : [namedClient(known, text, expected)];
}

/** What to sync before `ofListedClients` can tell: the lists of accounts that have none yet. Undefined: nothing. */
export async function missingLists(
  db: Executor,
  { accounts, clientsStream: stream }: Selection,
  flag: string | undefined,
): Promise<Pick<Selection, 'accounts' | 'streams' | 'clientIds' | 'clientFits'> | undefined> {
  if (flag === undefined || stream === undefined) return undefined;
  const lists = await Promise.all(accounts.map(({ name }) => readListedClients(db, name, stream)));
  const unlisted = accounts.filter((_, index) => lists[index] === undefined);
  if (unlisted.length === 0) return undefined;
  return { accounts: unlisted, streams: [stream], clientIds: undefined, clientFits: undefined };
}

/**
 * What sync and plan ask for with --clients: of each account only those that its newest list has. Where one has no
 * list, or the stream of lists is switched off, they are taken as they are written.
 * @throws ConfigError with every one that no list has
 */
export async function ofListedClients(
  db: Executor,
  selection: Selection,
  flag: string | undefined,
): Promise<Selection> {
  const { accounts, clientsStream: stream } = selection;
  if (flag === undefined || stream === undefined) return selection;
  const names = new Map(
    (await readClientNames(db)).map(({ account, clientId, name }) => [keyOf(account, clientId), name]),
  );
  const known: NamedClient[] = [];
  const dates = new Set<string>();
  for (const { name: account } of accounts) {
    const listed = await readListedClients(db, account, stream);
    if (listed === undefined) return selection;
    dates.add(listed.runDate);
    known.push(
      ...listed.ids.map((clientId) => ({
        ...{ account, clientId, name: names.get(keyOf(account, clientId)) ?? clientId },
      })),
    );
  }
  try {
    const found = readNamedClients(flag, known) ?? [];
    const keys = new Set(found.map(({ account, clientId }) => keyOf(account, clientId)));
    return {
      ...selection,
      clientIds: [...new Set(found.map(({ clientId }) => clientId))],
      clientFits: (clientId, account) => keys.has(keyOf(account, clientId)),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const forgotten = await accountsThatForgot(db, list(flag) ?? []);
    throw new ConfigError([
      ...error.faults,
      ...forgotten.map(
        ({ account, clientId }) =>
          `Client "${clientId}" of account ${account} is forgotten: airank forget --help says how to let it back in`,
      ),
      `The list of clients is of ${[...dates].sort().join(', ')}; who joined since then is there after airank sync --streams ${stream.name}`,
    ]);
  }
}

function keyOf(account: string, clientId: string): string {
  return JSON.stringify([account, clientId]);
}
