// What the queue and its batches hold for an account that gets another name: jobs that wait, with their attempt and time,
// and the lists of accounts by which lost ones are found.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { specOf } from './enqueue.ts';

interface Names {
  readonly from: string;
  readonly to: string;
}

interface Removed {
  readonly batch: string;
  readonly attempt: string;
  readonly deaths: string | null;
  readonly priority: number;
  readonly run_at: Date;
  readonly is_taken: boolean;
}

/** Rows by table. Undefined: a worker has taken a job of the account, and the transaction must not go on. */
export async function renameQueued(
  tx: Executor,
  { from, to }: Names,
): Promise<Readonly<Record<string, number>> | undefined> {
  const taken = await sql`
    select from airank_jobs.jobs where queue_name = ${`account:${from}`} and locked_at is not null limit 1`.execute(
    tx,
  );
  if (taken.rows.length > 0) return undefined;
  const { rows: removed } = await sql<Removed>`
    select r.payload ->> 'batch' as batch, r.payload ->> 'attempt' as attempt, r.payload ->> 'deaths' as deaths, r.priority, r.run_at,
      r.locked_at is not null as is_taken
    from airank_jobs.jobs as j cross join lateral airank_jobs.remove_job(j.key) as r
    where j.queue_name = ${`account:${from}`}`.execute(tx);
  // Since the look before.
  if (removed.some((job) => job.is_taken)) return undefined;
  if (removed.length > 0) {
    await sql`
      select airank_jobs.add_jobs(array_agg(${specOf('sync')}))
      from (
        select batch, ${to}::text as account, attempt, coalesce(deaths, 0) as deaths, priority, run_at
        from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb)
          as r (batch bigint, attempt integer, deaths integer, priority integer, run_at timestamptz)
      ) as s`.execute(tx);
  }
  let batches = 0;
  for (const path of ['{accounts}', '{job,accounts}']) {
    const names = sql`b.selection #> ${path}::text[]`;
    const renamed = await sql`
      update sync.batch as b set selection = jsonb_set(b.selection, ${path}::text[], (
        select jsonb_agg(case when name = ${from} then ${to}::text else name end order by place)
        from jsonb_array_elements_text(${names}) with ordinality as e (name, place)
      ))
      where jsonb_typeof(${names}) = 'array' and ${names} ? ${from}`.execute(tx);
    batches += Number(renamed.numAffectedRows ?? 0);
  }
  const rows = { 'airank_jobs.jobs': removed.length, 'sync.batch': batches };
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}
