// The clients of an account, as in its published list of clients.

import { type RawBuilder, sql } from 'kysely';
import { valueAt } from '../../core/json.ts';
import type { Executor } from '../../db/database.ts';
import { identifierPaths, identifierShape } from '../../streams/identifier-paths.ts';
import { keyExpression, type RecordKey, recordsOfPage } from '../pages/incoming.ts';
import { spelledAs } from '../pages/record-keys.ts';
import { ofScope, pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';
import { type Ask, provenClientKey } from './client-proof.ts';

/**
 * Reads the current clients that the list of this very run date lacks. Undefined if it is not published: an older list
 * does not tell who has left.
 */
export async function readAbsentClients(
  db: Executor,
  account: string,
  stream: string,
  runDate: string,
): Promise<readonly string[] | undefined> {
  const slice = await db
    .selectFrom('sync.slice')
    .select('lacking')
    .where(ofScope({ stream, account, clientId: '' }))
    .where('run_date', '=', runDate)
    .where('status', '=', 'complete')
    .executeTakeFirst();
  return slice && (slice.lacking ?? []);
}

export async function scopesThatLeft(
  db: Executor,
  account: string,
  streams: readonly string[],
  listed: readonly string[],
  runDate: string,
): Promise<Scope[]> {
  const result = await sql<Scope>`
    select n.stream, n.account, n.client_id as "clientId"
    from sync.newest n
    join sync.slice s on s.stream = n.stream and s.account = n.account and s.client_id = n.client_id and s.run_date = n.run_date
    where n.account = ${account} and n.stream = any(${[...streams]}::text[]) and n.client_id <> ''
      and n.client_id <> all(${[...listed]}::text[]) and n.run_date <= ${runDate}::date
      and not (s.walk = 'left' and s.status = 'complete')
    order by n.client_id, n.stream`.execute(db);
  return result.rows;
}

export async function countUnkeyed(
  db: Executor,
  slice: SliceKey,
  key: RecordKey,
): Promise<{ readonly clients: number; readonly unkeyed: number }> {
  const result = await sql<{ clients: number; unkeyed: number }>`
    select count(*) as clients, count(*) filter (where ${keyExpression(key)} is null) as unkeyed
    from sync.page p cross join lateral ${recordsOfPage} as e
    where ${pagesOf(slice)}`.execute(db);
  return result.rows[0] ?? { clients: 0, unkeyed: 0 };
}

type Key = readonly (readonly string[])[];

interface Candidates {
  readonly keys: readonly Key[];
  readonly keysConfigured: boolean;
}

export interface KnownClients {
  /** Identifiers as the API gives them, in a stable order; they may differ in letter case alone. */
  readonly ids: readonly string[];
  readonly withoutId: number;
  /** Paths of the identifiers; [] if there are none. */
  readonly key: Key;
  /** Paths of fields that look like an identifier, while some clients lack theirs. */
  readonly alike: readonly string[];
}

/**
 * Reads the current records of stream `clientes`. Their identifier is the fixed key; if content is the identity,
 * because a client came twice or one has no identifier, it is the candidate that most have.
 */
export async function readClients(
  db: Executor,
  account: string,
  fixed: Key | undefined,
  candidates: Candidates,
): Promise<KnownClients> {
  const clients = sql`
    select payload as value from snapshot.record
    where stream = 'clientes' and account = ${account} and client_id = '' and until = 'infinity'`;
  const isFixed = fixed !== undefined && fixed.length > 0;
  const key = isFixed ? fixed : mostFound(await recordsOf(db, clients), candidates);
  const result = await sql<{ id: string | null; clients: number }>`
    select ${keyExpression(key)} as id, count(*) as clients
    from (${clients}) as e
    group by 1 order by 1`.execute(db);
  const without = result.rows.filter((row) => row.id === null || row.id === '');
  return {
    ids: result.rows.flatMap((row) => (row.id === null || row.id === '' ? [] : [row.id])),
    withoutId: without.reduce((sum, row) => sum + row.clients, 0),
    key,
    alike: without.length === 0 ? [] : alikeIn(await recordsOf(db, clients)),
  };
}

async function recordsOf(db: Executor, clients: RawBuilder<unknown>): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`${clients}`.execute(db);
  return rows.map(({ value }) => value);
}

function alikeIn(clients: readonly unknown[]): string[] {
  const paths = clients.flatMap((client) => identifierPaths(client, 'clientes'));
  return [...new Set(paths.map(({ path }) => path.join('.')))];
}

/** Finds each listed client's identifier: the key that most have, else what `ask` shows. */
export async function identifiersOf(
  clients: readonly unknown[],
  candidates: Candidates,
  ask: Ask,
): Promise<readonly string[]> {
  const isNamed = candidates.keysConfigured || mostCommon(clients, candidates.keys).found > 0;
  const proven = isNamed ? undefined : await provenClientKey(clients, ask);
  const key = proven === undefined ? mostFound(clients, candidates) : [proven];
  return clients.map((client) => key.map((path) => String(valueAt(client, path) ?? '')).join('/'));
}

function mostFound(clients: readonly unknown[], { keys, keysConfigured }: Candidates): Key {
  const named = mostCommon(clients, keys);
  return (keysConfigured ? named : orAlike(clients, named)).key;
}

interface Where {
  readonly key: Key;
  readonly found: number;
}

function mostCommon(clients: readonly unknown[], candidates: readonly Key[]): Where {
  let best: Where = { key: [], found: 0 };
  for (const candidate of candidates) {
    const spelled = clients.flatMap((client) => {
      const paths = candidate.flatMap((path) => {
        const names = spelledAs(path, client);
        return names !== undefined && isIdentifier(valueAt(client, names)) ? [names] : [];
      });
      return paths.length === candidate.length ? [paths] : [];
    });
    const [key] = spelled;
    if (key !== undefined && spelled.length > best.found) best = { key, found: spelled.length };
  }
  return best;
}

/** Prefers a path whose name and values look like an identifier, if more clients have it than `named`. */
function orAlike(clients: readonly unknown[], named: Where): Where {
  const shape = new RegExp(identifierShape('clientes'));
  const paths = clients.flatMap((client) =>
    identifierPaths(client, 'clientes').flatMap(({ path, isSafe }) => (isSafe ? [path] : [])),
  );
  let best = named;
  for (const path of new Map(paths.map((one) => [JSON.stringify(one), one])).values()) {
    const values = clients.map((client) => valueAt(client, path)).filter(isIdentifier);
    const fits = values.every((value) => shape.test(String(value)));
    if (fits && values.length > best.found) best = { key: [path], found: values.length };
  }
  return best;
}

function isIdentifier(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
