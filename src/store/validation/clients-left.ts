// Scopes of clients that are no longer listed.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../slices/slices.ts';

/** Whether the list of clients is published for the run date itself: an older one does not tell who has left. */
export async function isListPublished(
  db: Executor,
  account: string,
  stream: string,
  runDate: string,
): Promise<boolean> {
  const slice = await db
    .selectFrom('sync.slice')
    .select('id')
    .where('stream', '=', stream)
    .where('account', '=', account)
    .where('client_id', '=', '')
    .where('run_date', '=', runDate)
    .where('status', '=', 'complete')
    .executeTakeFirst();
  return slice !== undefined;
}

/** Published scopes of clients that are no longer listed, and that have not ended yet. */
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
