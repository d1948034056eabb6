// sync.code: which text of each function and view is installed, and the lock under which that changes.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { lockKeys } from '../lock-keys.ts';
import { warehouseSchemas } from '../schemas.ts';

/** One process at a time, and no endless wait for a long query of a dashboard. */
export async function lockCode(tx: Executor): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'code')})`.execute(tx);
}

/** What is there: schemas (`bi`), tables and views (`bi.clients`), functions (`sync.learn()`). One read of the catalog. */
export async function presentObjects(db: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    with n as (select oid, nspname::text as name from pg_namespace where nspname = any (${[...warehouseSchemas]}::text[]))
    select name from n
    union all
    select n.name || '.' || c.relname from pg_class c join n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v')
    union all
    select n.name || '.' || p.proname || '()' from pg_proc p join n on n.oid = p.pronamespace`.execute(db);
  return new Set(rows.map((row) => row.name));
}

/** The hash of everything that is installed by its text, by name. A generated view that is gone has none. */
export async function installedHashes(db: Executor): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; hash: string }>`
    select name, hash from sync.code
    where name not like 'bi\\_map.%' or to_regclass(format('bi_map.%I', substr(name, 8))) is not null`.execute(
    db,
  );
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
