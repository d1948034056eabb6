// The block on a client that is forgotten, known by a keyed hash: who reads it does not learn who it is.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { wholeAccountLock } from '../../store/aliases.ts';

export interface ForgottenClient {
  readonly account: string;
  readonly clientId: string;
}

const halfBytes = 64;

/** A random key, made once a warehouse, in the two halves that HMAC takes. */
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
 * From here on nobody plans or publishes the client. Who planned before is waited for, so that what comes of it is
 * there to be deleted. Returns the hash, in hex.
 */
export async function blockClient(db: Executor, { account, clientId }: ForgottenClient): Promise<string> {
  await makeKey(db);
  return await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    await sql`select ${wholeAccountLock(account)}`.execute(tx);
    const { rows } = await sql<{ hash: string }>`
      insert into sync.forgotten as f (account, client_hash) values (${account}, sync.client_mark(${clientId}))
      on conflict (account, client_hash) do update set finished_at = null
      returning encode(f.client_hash, 'hex') as hash`.execute(tx);
    return rows[0]?.hash ?? '';
  });
}

/** The next sync brings the client back. False: it was not forgotten. */
export async function unblockClient(db: Executor, { account, clientId }: ForgottenClient): Promise<boolean> {
  const result = await sql`
    delete from sync.forgotten where account = ${account} and client_hash = sync.client_mark(${clientId})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0) > 0;
}

/** Those of these identifiers that are forgotten, in each account. */
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
