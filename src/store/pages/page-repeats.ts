// Whether the stored pages of a walk repeat themselves. Asked only where they seem to.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage, repeatName, shortened } from './incoming.ts';

/** SQL for each content of a walk and the first page that holds it. */
const firstPages = (slice: SliceKey) => sql`
  select ${hashOf(sql`e.value`)} as hash, min(p.page_no) as page_no
  from sync.page p cross join lateral ${recordsOfPage} as e
  where ${pagesOf(slice)}
  group by 1`;

/** Whether every record of the pages after `pageNo` is on an earlier page of the walk too. */
export async function holdNothingNew(db: Executor, slice: SliceKey, pageNo: number): Promise<boolean> {
  const result = await sql<{ nothing_new: boolean }>`
    with record as (${firstPages(slice)})
    select not exists (select from record where page_no > ${pageNo}) as nothing_new`.execute(db);
  return result.rows[0]?.nothing_new === true;
}

/**
 * Records that came again unchanged on another page of the walk, named as by `repeatName`, without those that are
 * already published as repeated. This happens when pages shift during a walk, which then misses as many records.
 */
export async function findShifted(db: Executor, slice: Scope & SliceKey, key: RecordKey): Promise<string[]> {
  const result = await sql<{ name: string }>`
    with repeated as (
      select ${shortened(keyExpression(key))} as key, ${hashOf(sql`e.value`)} as hash
      from sync.page p cross join lateral ${recordsOfPage} as e
      where ${pagesOf(slice)}
      group by 1, 2
      having count(distinct p.page_no) > 1
    ), named as (
      select ${repeatName(sql`key`, sql`hash`)} as name from repeated where key is not null
    )
    select name from named n
    where not exists (
      select from snapshot.record r
      where r.stream = ${slice.stream} and r.account = ${slice.account} and r.client_id = ${slice.clientId}
        and r.until = 'infinity' and r.record_key = n.name
    )`.execute(db);
  return result.rows.map((row) => row.name);
}

/** Records of a page that no page before it of the walk holds with this content. */
export async function countUnseen(db: Executor, slice: SliceKey, pageNo: number): Promise<number> {
  const result = await sql<{ unseen: number }>`
    with record as (${firstPages(slice)})
    select count(*) as unseen from record where page_no = ${pageNo}`.execute(db);
  return result.rows[0]?.unseen ?? 0;
}
