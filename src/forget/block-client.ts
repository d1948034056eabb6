// The block on a forgotten client, known by a keyed hash, so that readers do not learn who it is; how the
// client is found in texts; and the counts of what is deleted.

import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { wholeAccountLock } from '../db/lock-keys.ts';

/** Rows that were deleted, by table, added up over attempts: one that ended half-way counts. */
export type Counts = Readonly<Record<string, number>>;

/** Runs statements that delete or change rows, and notes how many by the name of their table. */
export class Counting {
  readonly #tx: Executor;
  readonly #counts = new Map<string, number>();

  constructor(tx: Executor) {
    this.#tx = tx;
  }

  async run(table: string, statement: RawBuilder<unknown>): Promise<number> {
    const result = await statement.execute(this.#tx);
    const rows = Number(result.numAffectedRows ?? 0);
    if (rows > 0) this.#counts.set(table, (this.#counts.get(table) ?? 0) + rows);
    return rows;
  }

  async store({ account, clientId }: ForgottenClient): Promise<void> {
    if (this.#counts.size === 0) return;
    const added = JSON.stringify(Object.fromEntries(this.#counts));
    await sql`
      update sync.forgotten as f set counts = f.counts || (
        select jsonb_object_agg(n.key, coalesce((f.counts ->> n.key)::bigint, 0) + n.value::bigint)
        from jsonb_each_text(${added}::jsonb) as n
      )
      where f.account = ${account} and f.client_hash = sync.client_mark(${clientId})`.execute(this.#tx);
  }
}

/** Patterns that find a client in texts: its id and names as whole words. */
export interface TextPatterns {
  /** Regular expressions of Postgres: the id with letter case, the names without. Null: not looked for. */
  readonly exact: string | null;
  readonly loose: string | null;
  readonly number: string | null;
}

/** A shorter id or name stands in too many texts that are about something else. */
const shortestSearched = { id: 4, name: 3 } as const;

export function textPatterns(clientId: string, names: readonly string[]): TextPatterns {
  const isSearched = [...clientId].length >= shortestSearched.id;
  const searched = [...new Set(names.map((name) => name.trim()))].filter(
    (name) => [...name].length >= shortestSearched.name && name !== clientId,
  );
  // The longest first: of two names that begin alike it takes all.
  const longest = searched.sort((a, b) => b.length - a.length);
  return {
    exact: isSearched ? word([clientId]) : null,
    loose: longest.length === 0 ? null : word(longest),
    number: isSearched && /^\d+$/.test(clientId) ? clientId : null,
  };
}

/** `\m` and `\M` would not end at a sign. */
function word(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `(?<![[:alnum:]_])(?:${escaped.join('|')})(?![[:alnum:]_])`;
}

export interface ForgottenClient {
  readonly account: string;
  readonly clientId: string;
}

const halfBytes = 64;

/** Makes a random key, once for a warehouse, in the two halves that HMAC takes. */
async function makeKey(db: Executor): Promise<void> {
  const key = randomBytes(halfBytes);
  const half = (mask: number) => Buffer.from(key.map((byte) => byte ^ mask));
  await db
    .insertInto('sync.forget_key')
    .values({ inner_key: half(0x36), outer_key: half(0x5c) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Blocks the client: from here on nobody plans or publishes it. Waits for those who planned before, so that
 * what comes of it is there to be deleted. Returns the hash, in hex.
 */
export async function blockClient(db: Executor, { account, clientId }: ForgottenClient): Promise<string> {
  await makeKey(db);
  return await db.transaction().execute(async (tx) => {
    await sql`select ${wholeAccountLock(account)}`.execute(tx);
    const { rows } = await sql<{ hash: string }>`
      insert into sync.forgotten as f (account, client_hash) values (${account}, sync.client_mark(${clientId}))
      on conflict (account, client_hash) do update set finished_at = null
      returning encode(f.client_hash, 'hex') as hash`.execute(tx);
    return rows[0]?.hash ?? '';
  });
}

/** Lifts the block: the next sync brings the client back. False: it was not forgotten. */
export async function unblockClient(db: Executor, { account, clientId }: ForgottenClient): Promise<boolean> {
  const result = await sql`
    delete from sync.forgotten where account = ${account} and client_hash = sync.client_mark(${clientId})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0) > 0;
}

/** Returns the identifiers among these that are forgotten, with their account. */
export async function accountsThatForgot(
  db: Executor,
  clientIds: readonly string[],
): Promise<readonly ForgottenClient[]> {
  const { rows } = await sql<ForgottenClient>`
    select account, client_id as "clientId"
    from unnest(${[...clientIds]}::text[]) as c (client_id)
    join sync.forgotten on client_hash = sync.client_mark(client_id)
    order by account, client_id`.execute(db);
  return rows;
}

/** Accounts that know a client by this very id: they have slices of it, or it is forgotten there. */
export async function accountsWith(db: Executor, clientId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ account: string }>`
    select account from sync.slice where client_id = ${clientId}
    union select account from snapshot.clientes where client_id = '' and record_key = ${clientId}
    union select account from sync.forgotten where client_hash = sync.client_mark(${clientId})
    order by account`.execute(db);
  return rows.map((row) => row.account);
}
