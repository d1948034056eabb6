// Names the sessions of this database that hold locks of the warehouse, for whoever waits for them.
import { sql } from 'kysely';
import { messageOf, WarehouseError } from '../core/errors.ts';
import type { Executor } from './database.ts';
import { processLocks } from './lock-keys.ts';
import { warehouseSchemas } from './schemas.ts';
import type { LockKey } from './session-lock.ts';
import { isLockTimeout } from './sqlstate.ts';

interface Holder {
  readonly pid: number;
  readonly role: string | null;
  readonly application: string;
  readonly since: string | null;
}

/**
 * Names the three longest holders: `pid 4711 (role ana, DataGrip, since 2026-11-26 03:12 UTC)`.
 * @param key of one lock of a process; default: any lock of the warehouse
 */
export async function lockHolders(db: Executor, key?: LockKey): Promise<string> {
  const isMeant =
    key === undefined
      ? sql`l.locktype = 'advisory' or n.nspname = any (${[...warehouseSchemas]}::text[])`
      : sql`l.locktype = 'advisory' and l.objsubid = 2 and (l.classid, l.objid) =
          ((${sql.raw(processLocks[key.kind])}::bigint & 4294967295)::oid, (${key.id}::bigint & 4294967295)::oid)`;
  const { rows } = await sql<Holder>`
    select a.pid, a.usename as role, coalesce(a.application_name, '') as application,
      to_char(coalesce(a.xact_start, a.backend_start) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as since
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and exists (
      select from pg_locks l
      left join pg_class c on c.oid = l.relation and l.locktype = 'relation'
      left join pg_namespace n on n.oid = c.relnamespace
      where l.pid = a.pid and l.granted and l.database = a.datid
        and (${isMeant})
    )
    order by a.xact_start nulls last, a.backend_start limit 3`.execute(db);
  const holders = rows.map(({ pid, role, application, since }) => {
    const who = [`role ${role}`, application, since === null ? '' : `since ${since} UTC`];
    return `pid ${pid} (${who.filter((part) => part !== '').join(', ')})`;
  });
  return holders.length === 0 ? 'nobody any more' : holders.join(', ');
}

/** Adds the holder to an error that ended a wait for a lock; leaves any other error as it is. */
export async function namingHolders(db: Executor, error: unknown): Promise<unknown> {
  if (!isLockTimeout(error)) return error;
  const holders = await lockHolders(db).catch(() => 'unknown');
  return new WarehouseError(
    `Waited too long for a lock in the warehouse: ${messageOf(error)}. Its locks are held by: ${holders}. Wait for that ` +
      'session or end it, then run this again. Stored data is unchanged',
    {},
    { cause: error },
  );
}
