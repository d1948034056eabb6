// Slices that fetch one record at a time: the values to ask for, and the records that stay as they were.
import { sql } from 'kysely';
import { datesToConfirm } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { keyExpression, shortened } from '../pages/incoming.ts';
import { ofScope, pagesOf, type Scope, type SliceKey } from '../slices/slices.ts';

/** A scope in which single values may give no data; their stored records stay. */
interface RefusedScope extends Scope, SliceKey {
  readonly runDate: string;
}

/** Reads on how many earlier run dates each value was refused. */
export async function readRefusedDates(
  db: Executor,
  scope: Scope,
  runDate: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('sync.refused_detail')
    .select(['value', 'run_dates', 'last_run_date'])
    .where(ofScope(scope))
    .execute();
  return new Map(rows.map((row) => [row.value, row.run_dates - (row.last_run_date < runDate ? 0 : 1)]));
}

/**
 * Notes values that the walk was refused, and forgets those that it got. The stored records of refused values are added
 * again, so that publishing leaves them alone. Returns why the slice fails although it is published; undefined if
 * nothing was refused, or it is confirmed.
 */
export async function noteRefused(
  tx: Executor,
  scope: RefusedScope,
  refused: readonly { readonly value: string; readonly error: string }[],
): Promise<string | undefined> {
  const { account, stream, clientId, runDate } = scope;
  await tx
    .deleteFrom('sync.refused_detail')
    .where(ofScope(scope))
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
    `${plural(open.length, 'value')} gave no data and ${open.length === 1 ? 'is' : 'are'} asked for again ` +
    `(${JSON.stringify(first.value.slice(0, 60))}: ${first.error}); the others are published`
  );
}

/** Forgets refusals of values that are no longer configured. */
export async function forgetRefusedBut(tx: Executor, scope: Scope, values: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('sync.refused_detail')
    .where(ofScope(scope))
    .where(sql<boolean>`value <> all(${values}::text[])`)
    .execute();
}

type Key = readonly (readonly string[])[];

interface DetailsOf {
  readonly details: Scope;
  /** Stream of the records that have these details, in the same account and client. */
  readonly of: string;
  readonly key: Key;
  readonly runDate: string;
}

const ownValue = (input: DetailsOf) => sql<{ value: string | null }>`
  select distinct ${keyExpression(input.key)} as value
  from (select payload as value, run_date from snapshot.record
    where stream = ${input.of} and account = ${input.details.account} and client_id = ${input.details.clientId}
      and until = 'infinity') as e`;

/** Days after which a value with no data on enough run dates is asked for again. */
const refusedPauseDays = 7;

/**
 * Returns the values to ask for, in a stable order: records that are new or changed since their details were last
 * begun, by time and not by date, as records may be published again after their details. Asks again for values that
 * gave no data, on three run dates and then weekly, and for those whose stored details have none of the fields of the
 * others.
 */
export async function detailsToFetch(db: Executor, input: DetailsOf): Promise<string[]> {
  const { account, clientId, stream } = input.details;
  const value = keyExpression(input.key);
  const ofDetails = sql`stream = ${stream} and account = ${account} and client_id = ${clientId}`;
  const result = await sql<{ value: string }>`
    with last as (
      select started_at from sync.slice
      where ${ofDetails} and completed_at is not null and run_date < ${input.runDate}::date
      order by run_date desc limit 1
    ), fresh as (
      select s.run_date from sync.slice s
      where s.stream = ${input.of} and s.account = ${account} and s.client_id = ${clientId}
        and s.completed_at > coalesce((select started_at from last), '-infinity')
    ), stored as (
      select record_key, payload from snapshot.record where ${ofDetails} and until = 'infinity'
    ), usual as (
      select array_agg(name) as names from (
        select name from stored cross join lateral jsonb_object_keys(case jsonb_typeof(payload) when 'object' then payload end) as name
        group by name having count(*) * 2 >= (select count(*) from stored)
      ) as n
      where (select count(*) from stored) >= 3
    ), known as (
      select record_key from stored cross join usual where usual.names is null or payload ?| usual.names
    ), refused as (
      select value, run_dates >= ${datesToConfirm} and last_run_date > ${input.runDate}::date - ${refusedPauseDays}::integer as rests
      from sync.refused_detail where ${ofDetails}
    )
    ${ownValue(input)}
    left join refused r on r.value = ${value}
    where ${value} <> ''
      and (e.run_date in (select run_date from fresh)
        or r.rests is false
        or (${shortened(value)} not in (select record_key from known) and r.rests is not true))
    order by value`.execute(db);
  return result.rows.map((row) => row.value);
}

export async function detailValues(db: Executor, input: DetailsOf): Promise<ReadonlySet<string>> {
  const { rows } = await ownValue(input).execute(db);
  return new Set(rows.flatMap(({ value }) => value ?? []));
}

/**
 * Returns why details have to wait: details of an older date's records would look complete and miss new ones. Undefined
 * if the records are published for the run date, or not available, or this run date does not walk them.
 * @param isPlanned true if this run planned them: a slice that is missing was then lost in a crash or failover
 */
export async function findUnpublished(
  db: Executor,
  input: DetailsOf,
  isPlanned: boolean,
): Promise<'unfinished' | 'walked_by_another' | undefined> {
  const slice = await db
    .selectFrom('sync.slice')
    .select(['status', sql<boolean>`sync.run_is_alive(account, run_id)`.as('isWalked')])
    .where(ofScope({ ...input.details, stream: input.of }))
    .where('run_date', '=', input.runDate)
    .executeTakeFirst();
  if (slice === undefined) return isPlanned ? 'unfinished' : undefined;
  if (slice.status === 'unavailable' || slice.status === 'complete') return undefined;
  return slice.status === 'walking' && slice.isWalked ? 'walked_by_another' : 'unfinished';
}

/** Adds to the incoming records the stored details of records that still exist and were not fetched now. */
export async function carryDetails(tx: Executor, input: DetailsOf): Promise<void> {
  const { account, clientId, stream } = input.details;
  await sql`
    with present as (${ownValue(input)})
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
    select r.stream, r.record_key, true, r.hash, r.payload
    from snapshot.record r
    where r.stream = ${stream} and r.account = ${account} and r.client_id = ${clientId} and r.until = 'infinity'
      and r.record_key in (select ${shortened(sql`value`)} from present)
      and not exists (select from pg_temp.incoming i where i.stream = r.stream and i.record_key = r.record_key)`.execute(
    tx,
  );
}

/** Forgets refusals of values whose records are gone, since nobody asks for these again. */
export async function forgetRefusedOfGone(tx: Executor, input: DetailsOf): Promise<void> {
  const { account, clientId, stream } = input.details;
  await sql`
    delete from sync.refused_detail d
    where d.stream = ${stream} and d.account = ${account} and d.client_id = ${clientId}
      and not exists (select from (${ownValue(input)}) as present where present.value = d.value)`.execute(tx);
}
