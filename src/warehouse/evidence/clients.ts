// The clients of an account, as its published list of clients has them.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { keyExpression } from '../pages/incoming.ts';
import { spelledAs } from '../pages/pins.ts';

type Key = readonly (readonly string[])[];

export interface KnownClients {
  /** Identifiers as the API gives them, in a stable order; they may differ only in letter case. */
  readonly ids: readonly string[];
  /** Clients in whose record the identifier is missing. */
  readonly withoutId: number;
  /** Where the identifiers are; []: nowhere. */
  readonly key: Key;
}

/**
 * Reads the current records of stream `clientes`. Their identifier is the pinned key; where content is
 * the identity, because a client came twice or one has no identifier, the candidate that most have.
 */
export async function readClients(
  db: Executor,
  account: string,
  pinned: Key | undefined,
  candidates: readonly Key[],
): Promise<KnownClients> {
  const clients = sql`
    select payload as value from snapshot.record
    where stream = 'clientes' and account = ${account} and client_id = '' and until = 'infinity'`;
  const isPinned = pinned !== undefined && pinned.length > 0;
  const key = isPinned ? pinned : await mostCommon(db, clients, candidates);
  const result = await sql<{ id: string | null; clients: number }>`
    select ${keyExpression(key)} as id, count(*) as clients
    from (${clients}) as e
    group by 1 order by 1`.execute(db);
  const without = result.rows.filter((row) => row.id === null || row.id === '');
  return {
    ids: result.rows.flatMap((row) => (row.id === null || row.id === '' ? [] : [row.id])),
    withoutId: without.reduce((sum, row) => sum + row.clients, 0),
    key,
  };
}

async function mostCommon(
  db: Executor,
  clients: ReturnType<typeof sql>,
  candidates: readonly Key[],
): Promise<Key> {
  const { rows } = await sql<{ value: unknown }>`${clients}`.execute(db);
  let best: { key: Key; found: number } = { key: [], found: 0 };
  for (const candidate of candidates) {
    const spelled = rows.flatMap(({ value }) => {
      const paths = candidate.flatMap((path) => {
        const names = spelledAs(path, value);
        return names !== undefined && isIdentifier(valueAt(value, names)) ? [names] : [];
      });
      return paths.length === candidate.length ? [paths] : [];
    });
    const [key] = spelled;
    if (key !== undefined && spelled.length > best.found) best = { key, found: spelled.length };
  }
  return best.key;
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined,
    value,
  );
}

function isIdentifier(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
