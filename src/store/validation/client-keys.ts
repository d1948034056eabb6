// Whether the clients of a walk can still be told apart by what identifies them.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { keyExpression, type RecordKey, recordsOfPage, shortened } from '../pages/incoming.ts';
import { pagesOf, type SliceKey } from '../slices/slices.ts';

/** Clients of a walked list in whose record the key is missing. */
export async function countUnkeyed(db: Executor, slice: SliceKey, key: RecordKey): Promise<number> {
  const result = await sql<{ unkeyed: number }>`
    select count(*) filter (where ${keyExpression(key)} is null) as unkeyed
    from sync.page p cross join lateral ${recordsOfPage} as e
    where ${pagesOf(slice)}`.execute(db);
  return result.rows[0]?.unkeyed ?? 0;
}

/** Whether every published client is in a walked list under another key. */
export async function holdsEveryClient(
  db: Executor,
  slice: SliceKey & { readonly stream: string },
  key: RecordKey,
): Promise<boolean> {
  const result = await sql<{ holds: boolean }>`
    select not exists (
      select from snapshot.record r
      where r.stream = ${slice.stream} and r.account = ${slice.account} and r.client_id = '' and r.until = 'infinity'
        and r.record_key not in (
          select k.key from sync.page p cross join lateral ${recordsOfPage} as e
          cross join lateral (select ${shortened(keyExpression(key))} as key) as k
          where ${pagesOf(slice)} and k.key is not null
        )
    ) as holds`.execute(db);
  return result.rows[0]?.holds === true;
}
