// Who holds the lock of `holdWrites`, for those who wait for it.
import { sql } from 'kysely';
import { hashText } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import type { WriteKind } from './write-limits.ts';

export interface WritesHolder {
  /** Process of the database that serves it. */
  readonly pid: number;
  /** Undefined: on the database's own machine, or this role may not see it. */
  readonly address: string | undefined;
  readonly since: Date | undefined;
}

/** Undefined: it has just ended. */
export async function writesHolder(
  db: Executor,
  account: string,
  kind: WriteKind,
): Promise<WritesHolder | undefined> {
  const { rows } = await sql<{ pid: number; address: string | null; since: Date | null }>`
    select l.pid, host(a.client_addr) as address, a.backend_start as since
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and l.classid = sync.writes_lock_class()::oid and l.objid = ${hashText(`${account} ${kind}`)}::bigint::oid
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { pid: row.pid, address: row.address ?? undefined, since: row.since ?? undefined };
}
