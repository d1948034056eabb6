// Which incident that lasts is over, because something else than the job's next batch brought what it lacked: another
// job, a sync by hand, a newer run date.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { hasLeft } from './freshness.ts';
import { counts } from './job-runs.ts';

const done = sql`('complete', 'unavailable', 'pruned')`;

/** Over r (run_date, account) and b (streams, client_ids): its run was to bring something, and all of it is there. */
const nothingLacks = sql`
  select from (
    select s.stream, s.client_id from sync.slice as s
    where s.account = r.account and s.run_date = r.run_date and s.stream = any (b.streams)
    union
    select n.stream, n.client_id from sync.newest as n
    where n.account = r.account and n.run_date < r.run_date and n.stream = any (b.streams) and not ${hasLeft}
  ) as e
  where b.client_ids is null or b.client_ids ? e.client_id
  having count(*) > 0 and bool_and(exists (
    select from sync.slice as d
    where d.account = r.account and d.stream = e.stream and d.client_id = e.client_id and d.run_date >= r.run_date
      and d.status in ${done}))`;

/** The causes of lasting notices, such as `run:daily-snapshot` and `key:acme`. */
export async function readMadeUp(db: Executor): Promise<ReadonlySet<string>> {
  const found = await sql<{ cause: string }>`
    select t.cause from sync.notice as t
    cross join lateral (
      select b.id, b.status, b.finished_at, nullif(b.selection -> 'client_ids', 'null') as client_ids,
        array(select jsonb_path_query(b.selection, '$.streams[*]') #>> '{}') as streams,
        array(select jsonb_path_query(b.selection, '$.accounts[*]') #>> '{}') as accounts
      from sync.batch as b
      where b.job = substr(t.cause, 5) and b.status in ('complete', 'failed', 'deferred') and ${counts}
      order by b.id desc limit 1
    ) as b
    where t.over_at is null and t.kind in ('run_failed', 'run_incomplete') and t.cause like 'run:%'
      and case b.status when 'complete' then b.finished_at > t.since else b.accounts <> '{}' and not exists (
        select from unnest(b.accounts) as a (account)
        left join lateral (
          select w.account, w.run_date, w.status from sync.run as w
          where w.batch_id = b.id and w.account = a.account order by w.id desc limit 1
        ) as r on true
        where r.status is distinct from 'complete' and not exists (${nothingLacks})) end
    union all
    select t.cause from sync.notice as t
    where t.over_at is null and t.kind = 'key_refused' and exists (
      select from sync.run as r
      where r.account = t.account and r.started_at > t.since and (r.summary ->> 'requests')::integer > 0
        and coalesce(r.summary ->> 'ended_status', '') not in ('401', '403'))`.execute(db);
  return new Set(found.rows.map(({ cause }) => cause));
}
