// How old the data of each stream is, by a few index probes, however much there is.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

export interface Freshness {
  readonly account: string;
  readonly stream: string;
  /** When it was published last: for the account itself, or, where there are only clients, for the first one found. */
  readonly completedAt: Date;
}

/** Over n (sync.newest): the scope is of a client that left; nothing more is published of it. */
export const hasLeft = sql`exists (
  select from sync.slice as l
  where l.stream = n.stream and l.account = n.account and l.client_id = n.client_id and l.run_date = n.run_date and l.walk = 'left'
)`;

/** Leaves out streams that were never published, and streams of which every client left. */
export async function readFreshness(
  db: Executor,
  accounts: readonly string[],
  streams: readonly string[],
): Promise<Freshness[]> {
  const result = await sql<{ account: string; stream: string; completed_at: Date }>`
    select a.account, s.stream, newest.completed_at
    from unnest(${[...accounts]}::text[]) as a (account)
    cross join unnest(${[...streams]}::text[]) as s (stream)
    cross join lateral (
      select n.completed_at from sync.newest as n
      where n.account = a.account and n.stream = s.stream and not ${hasLeft}
      order by n.client_id limit 1
    ) as newest`.execute(db);
  return result.rows.map((row) => ({
    account: row.account,
    stream: row.stream,
    completedAt: row.completed_at,
  }));
}
