// How old the data of each stream is, by a few index probes, however much there is.
import { sql } from 'kysely';
import type { Executor } from './database.ts';

export interface Freshness {
  readonly account: string;
  readonly stream: string;
  /** When it was published last: of the account itself, or of its first client where it has only clients. */
  readonly completedAt: Date;
}

/** Streams that were never published are left out. */
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
      select completed_at from sync.slice
      where account = a.account and stream = s.stream and completed_at is not null
      order by client_id, run_date desc limit 1
    ) as newest`.execute(db);
  return result.rows.map((row) => ({
    account: row.account,
    stream: row.stream,
    completedAt: row.completed_at,
  }));
}
