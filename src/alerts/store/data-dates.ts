// Until when the data of each client are complete, of certain streams.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** A stream that nobody asked for in so many days holds nothing up. */
const forgottenAfterDays = 14;

/**
 * The newest date on which each of these streams is complete: the client's own ones, and the account's where it has none
 * of its own. Without clients that left, and those of which a stream was asked for and never complete.
 * @param asOf as it was on this run date; default: now
 */
export async function readDataDates(
  db: Executor,
  account: string,
  streams: readonly string[],
  asOf = 'infinity',
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ client_id: string; date: string }>`
    with recent as materialized (
      select client_id, stream, max(run_date) filter (where completed_at is not null) as complete_date,
        (array_agg(status order by run_date desc))[1] as status
      from sync.slice
      where account = ${account} and stream = any(${[...streams]}::text[])
        and run_date <= ${asOf}::date and run_date > (
          select max(run_date) from sync.slice where account = ${account} and run_date <= ${asOf}::date
        ) - ${forgottenAfterDays}::integer
      group by client_id, stream
    )
    select c.client_id, min(r.complete_date) as date
    from bi.clients as c
    join recent as r on r.client_id = c.client_id or r.client_id = '' and not exists (
      select from recent as o where o.client_id = c.client_id and o.stream = r.stream
    )
    where c.account = ${account} and c.left_on is null and r.status <> 'unavailable'
    group by c.client_id
    having bool_and(r.complete_date is not null)`.execute(db);
  return new Map(rows.map((row) => [row.client_id, row.date]));
}

/** Accounts of which anything is published. */
export async function readAccounts(db: Executor): Promise<readonly string[]> {
  const rows = await db.selectFrom('sync.newest').select('account').distinct().orderBy('account').execute();
  return rows.map((row) => row.account);
}
