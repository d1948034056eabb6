// Compares the first pages of an archive with what is stored: which pages hold nothing new or changed, and do the pages
// so far identify their records well enough to carry the rest forward?
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { hashOf, keyExpression, type RecordKey, recordsOfPage, shortened } from '../pages/incoming.ts';
import { pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';

/** Minimum pages of an incremental refresh; it then ends at the first page without anything new or changed. */
export interface IncrementalRule {
  readonly leastPages: number;
}

/** Returns the page after which an incremental refresh would have ended; `pages` if only at the end. */
export function incrementalEnd(
  rule: IncrementalRule,
  changes: ReadonlyMap<number, number>,
  pages: number,
): number {
  for (let page = Math.max(rule.leastPages, 1); page <= pages; page += 1) {
    if ((changes.get(page) ?? 0) === 0) return page;
  }
  return pages;
}

export interface Depth {
  readonly depth: number;
  readonly late: number;
}

/** Compares a full refresh with incremental ones, which see no vanished record, wherever it was. */
export function depthOf(
  rule: IncrementalRule,
  changes: ReadonlyMap<number, number>,
  walk: { readonly pages: number; readonly vanished: number },
): Depth {
  const end = incrementalEnd(rule, changes, walk.pages);
  let depth = walk.vanished > 0 ? walk.pages : 0;
  let late = walk.vanished;
  for (const [page, count] of changes) {
    if (count === 0) continue;
    depth = Math.max(depth, page);
    if (page > end) late += count;
  }
  return { depth, late };
}

interface PagesQuestion {
  readonly slice: Scope & SliceKey;
  readonly runDate: string;
  readonly key: RecordKey;
}

interface ComparedPage {
  readonly pageNo: number;
  /** Records that the previous run date did not have with this content. */
  readonly fresh: number;
}

/** Compares the stored pages of a walk, from `fromPage` on, with the state before the run date. */
export async function comparePages(
  db: Executor,
  question: PagesQuestion,
  fromPage: number,
): Promise<ComparedPage[]> {
  const { slice, runDate, key } = question;
  const result = await sql<ComparedPage>`
    select p.page_no as "pageNo", count(e.value) filter (where not exists (
      select from snapshot.record r
      where r.stream = ${slice.stream} and r.account = ${slice.account} and r.client_id = ${slice.clientId}
        and r.until in ('infinity', ${runDate}::date) and r.run_date < ${runDate}::date
        and r.record_key = k.key and r.hash = h.hash
    ))::integer as fresh
    from sync.page p
    left join lateral (
      select e.value from ${recordsOfPage} as e
    ) as e on true
    left join lateral (select ${hashOf(sql`e.value`)}) as h (hash) on true
    left join lateral (select ${shortened(keyExpression(key))}) as k (key) on true
    where ${pagesOf(slice)} and p.page_no >= ${fromPage}
    group by p.page_no order by p.page_no`.execute(db);
  return result.rows;
}

/** True if every record walked so far has its own key: then none of the carried ones is among them. */
export async function arePagesKeyed(db: Executor, question: PagesQuestion): Promise<boolean> {
  const { slice, key } = question;
  const result = await sql<{ keyed: boolean }>`
    select count(*) = count(distinct key) as keyed
    from (
      select ${shortened(keyExpression(key))} as key
      from sync.page p cross join lateral ${recordsOfPage} as e
      where ${pagesOf(slice)}
    ) as keys`.execute(db);
  return result.rows[0]?.keyed === true;
}

/**
 * Merges the envelope of an incremental refresh: what its pages say, plus what only the pages of the tail said before.
 * Works on the connection's incoming records.
 */
export async function mergeEnvelope(
  tx: Executor,
  slice: Scope & { readonly runDate: string },
): Promise<void> {
  const before = sql`
    select r.payload from snapshot.record r
    where r.stream = 'envelope' and r.account = ${slice.account} and r.client_id = ${slice.clientId}
      and r.record_key = ${slice.stream} and r.run_date < ${slice.runDate}::date
      and r.until in ('infinity', ${slice.runDate}::date)`;
  await sql`
    with before as (${before}), merged as (
      update pg_temp.incoming i
      set payload = b.payload || i.payload, hash = ${hashOf(sql`(b.payload || i.payload)`)}
      from before b where i.stream = 'envelope' and i.record_key = ${slice.stream}
      returning i.record_key
    )
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
    select 'envelope', ${slice.stream}, true, ${hashOf(sql`b.payload`)}, b.payload from before b
    where not exists (select from merged)`.execute(tx);
}

/**
 * Returns new and changed records of the run date just published, by the page on which they came.
 * @param pages of the walk; pages after them are the first ones, read again
 */
export async function changesByPage(
  tx: Executor,
  scope: Scope & { readonly runDate: string },
  pages: number,
): Promise<ReadonlyMap<number, number>> {
  const result = await sql<{ page_no: number; changes: number }>`
    select i.page_no, count(*)::integer as changes
    from (
      select stream, record_key, case when page_no > ${pages} then page_no - ${pages} else page_no end as page_no
      from pg_temp.incoming
    ) as i
    join snapshot.record r on r.record_key = i.record_key
    where i.stream = ${scope.stream} and r.stream = ${scope.stream} and r.account = ${scope.account}
      and r.client_id = ${scope.clientId} and r.until = 'infinity' and r.run_date = ${scope.runDate}::date
    group by i.page_no`.execute(tx);
  return new Map(result.rows.map((row) => [row.page_no, row.changes]));
}
