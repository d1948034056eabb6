// sync.code: which text of each function and view is installed, and the lock under which that changes.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { lockKeys } from '../connection/lock-keys.ts';

/** One process at a time, and no endless wait for a long query of a dashboard. */
export async function lockCode(tx: Executor): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'code')})`.execute(tx);
}

/** The hash of everything that is installed by its text, by name. */
export async function installedHashes(db: Executor): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('sync.code').select(['name', 'hash']).execute();
  return new Map(rows.map((row) => [row.name, row.hash]));
}

export async function noteInstalled(tx: Executor, name: string, hash: string): Promise<void> {
  await tx
    .insertInto('sync.code')
    .values({ name, hash })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ hash, installed_at: sql`now()` }))
    .execute();
}

export async function noteDropped(tx: Executor, name: string): Promise<void> {
  await tx.deleteFrom('sync.code').where('name', '=', name).execute();
}
