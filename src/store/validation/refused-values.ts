// Single values that gave no data when asked for: their stored records stay, and on the first run dates it is a fault.
import { sql } from 'kysely';
import { datesToConfirm } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { shortened } from '../pages/incoming.ts';
import { pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';

export interface RefusedScope extends Scope, SliceKey {
  readonly runDate: string;
}

/** On how many run dates before this one each value was refused. */
export async function readRefusedDates(
  db: Executor,
  scope: Scope,
  runDate: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('sync.refused_detail')
    .select(['value', 'run_dates', 'last_run_date'])
    .where('account', '=', scope.account)
    .where('stream', '=', scope.stream)
    .where('client_id', '=', scope.clientId)
    .execute();
  return new Map(rows.map((row) => [row.value, row.run_dates - (row.last_run_date < runDate ? 0 : 1)]));
}

/**
 * Notes values that the walk was refused, and forgets those that it got. The stored records of refused values come in
 * again, so that publishing leaves them as they are.
 * Returns why the slice fails although it is published; undefined: nothing was refused, or on so many run dates that it is confirmed.
 */
export async function noteRefused(
  tx: Executor,
  scope: RefusedScope,
  refused: readonly { readonly value: string; readonly error: string }[],
): Promise<string | undefined> {
  const { account, stream, clientId, runDate } = scope;
  await tx
    .deleteFrom('sync.refused_detail')
    .where('account', '=', account)
    .where('stream', '=', stream)
    .where('client_id', '=', clientId)
    .where('value', 'in', (eb) =>
      eb.selectFrom('sync.page as p').select('p.record_key').where(pagesOf(scope)),
    )
    .execute();
  if (refused.length === 0) return undefined;
  const input = JSON.stringify(refused);
  const result = await sql<{ value: string; error: string; is_confirmed: boolean }>`
    insert into sync.refused_detail as d (account, stream, client_id, value, first_run_date, last_run_date, error)
    select ${account}, ${stream}, ${clientId}, value, ${runDate}::date, ${runDate}::date, error
    from jsonb_to_recordset(${input}::jsonb) as r (value text, error text)
    on conflict (account, stream, client_id, value) do update set
      run_dates = d.run_dates + (d.last_run_date < excluded.last_run_date)::integer,
      last_run_date = excluded.last_run_date, error = excluded.error
    returning value, error, run_dates >= ${datesToConfirm} as is_confirmed`.execute(tx);
  await sql`
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
    select r.stream, r.record_key, true, r.hash, r.payload
    from snapshot.record r
    where r.stream = ${stream} and r.account = ${account} and r.client_id = ${clientId} and r.until = 'infinity'
      and r.record_key in (
        select ${shortened(sql`value`)} from jsonb_to_recordset(${input}::jsonb) as v (value text)
      )
      and not exists (select from pg_temp.incoming i where i.stream = r.stream and i.record_key = r.record_key)`.execute(
    tx,
  );
  const open = result.rows.filter((row) => !row.is_confirmed);
  const [first] = open;
  if (first === undefined) return undefined;
  return (
    `${open.length} of the values gave no data and ${open.length === 1 ? 'is' : 'are'} asked for again ` +
    `(${JSON.stringify(first.value.slice(0, 60))}: ${first.error}); the others are published`
  );
}

/** Forgets refusals of values that are no longer configured. */
export async function forgetRefusedBut(tx: Executor, scope: Scope, values: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('sync.refused_detail')
    .where('account', '=', scope.account)
    .where('stream', '=', scope.stream)
    .where('client_id', '=', scope.clientId)
    .where(sql<boolean>`value <> all(${values}::text[])`)
    .execute();
}
