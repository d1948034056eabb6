// The slices of a run date: each is made once, whoever plans it.
import { sql } from 'kysely';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor, SliceStatus } from '../../db/database.ts';
import { sharedAccountLock } from '../names/account-lock.ts';
import type { Claim, Scope } from './slices.ts';

/** A slice as a run plans it: under the number of that run it is claimed and written. */
export interface PlannedSlice extends Scope, Claim {
  readonly status: SliceStatus;
  /** Published for this run date, perhaps by an earlier attempt. */
  readonly published: boolean;
}

/** Makes sure that the slices of a run date exist, unless the run was given up or the client is forgotten; returns them as they are. */
export async function planSlices(
  db: Executor,
  runDate: RunDate,
  scopes: readonly Scope[],
  runId: number,
): Promise<PlannedSlice[]> {
  const input = JSON.stringify(
    scopes.map(({ stream, account, clientId }) => ({ stream, account, clientId })),
  );
  await db.transaction().execute(async (tx) => {
    // A statement of its own: what is forgotten meanwhile is seen by the next one.
    for (const account of new Set(scopes.map((scope) => scope.account)))
      await sql`select ${sharedAccountLock(account)}`.execute(tx);
    await sql`
      insert into sync.slice (stream, account, client_id, run_date)
      select stream, account, "clientId", ${runDate}::date
      from jsonb_to_recordset(${input}::jsonb) as s (stream text, account text, "clientId" text)
      where sync.run_may_write(s.account, ${runId}) and not sync.is_forgotten(account, "clientId")
      on conflict (account, stream, client_id, run_date) do nothing`.execute(tx);
  });
  const result = await sql<{
    sliceId: number;
    stream: string;
    account: string;
    client_id: string;
    status: SliceStatus;
    published: boolean;
  }>`
    select id as "sliceId", stream, account, client_id, status, completed_at is not null as published
    from sync.slice
    join jsonb_to_recordset(${input}::jsonb) as s (stream text, account text, "clientId" text) using (stream, account)
    where client_id = s."clientId" and run_date = ${runDate}::date`.execute(db);
  return result.rows.map(({ client_id, ...slice }) => ({ ...slice, clientId: client_id, runId }));
}
