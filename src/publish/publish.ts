// Publishes: one transaction turns a slice's pages into versions and marks it complete. A reader sees the slice before
// or after, never in between; publishing a date twice ends in the state of the last time; unchanged records are not
// written.
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { messageOf, SkippableError } from '../core/errors.ts';
import { type Executor, prepared } from '../db/database.ts';
import { namingHolders } from '../db/lock-holders.ts';
import { isAboutOneSlice } from '../db/sqlstate.ts';
import type { LogicalSource } from '../mapping/logical/logical-source.ts';
import { learnFields } from '../store/fields/learn-fields.ts';
import { hashOf } from '../store/pages/incoming.ts';
import { fixRecordKey } from '../store/pages/record-keys.ts';
import {
  changesByPage,
  type Depth,
  depthOf,
  type IncrementalRule,
  mergeEnvelope,
} from '../store/scopes/incremental.ts';
import { mostLacking } from '../store/scopes/scope-history.ts';
import { pagesOf, rowOf, type SliceKey, type VersionScope } from '../store/slices/slices.ts';
import { type OpenedPublish, openPublish } from './open-publish.ts';
import { publishCompared, type Records } from './publish-compared.ts';
import { insertFirst, type PublishInput, UnfitKeyError } from './publish-input.ts';
import { noteClients } from './tables/client-list.ts';
import { showFirstMapping } from './tables/install-map-views.ts';
import { dropForgottenRows } from './tables/rewrite-scopes.ts';
import { updateTyped } from './tables/update-typed.ts';
import { applyVersions, type VersionCounts } from './versions.ts';

/**
 * Adds the envelope of a slice to the incoming records: the first value of each key in walk order. Adds nothing if
 * bodies hold only their list, or are records themselves.
 */
async function fillEnvelope(tx: Executor, slice: SliceKey & { readonly stream: string }): Promise<void> {
  await sql`
    with rest as (
      select p.page_no, e.key, e.value
      from sync.page p
      cross join lateral jsonb_each(p.rest) as e
      where ${pagesOf(slice)}
    ), first as (
      select distinct on (key) key, value from rest order by key, page_no
    ), envelope as (
      select jsonb_object_agg(key, value) as payload from first having count(*) > 0
    )
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
    select 'envelope', ${slice.stream}, true, ${hashOf(sql`payload`)}, payload from envelope`.execute(tx);
}

export interface Published extends VersionCounts {
  readonly records: number;
  readonly keyConflicts: number;
  readonly pages: number;
  readonly pagesSaved: number;
  readonly late: number;
  readonly failure: string | undefined;
  readonly warning: string | undefined;
}

/**
 * Publishes a slice whose last page is stored.
 * @throws UnfitKeyError when `fixesKey` is set and the key does not fit
 * @throws LostSliceError when the slice is no longer the run's
 * @throws ValidationError when so much is missing that it needs proof; nothing was published
 * @throws SkippableError when Postgres refuses for a reason about this slice, or a newer run date of the same stream
 * and scope is published
 */
export async function publish(db: Executor, input: PublishInput): Promise<Published> {
  try {
    const { published, unshown } = await publishInOne(db, input, true).catch(async (error: unknown) => {
      if (!(error instanceof UnfitKeyError) || input.fixesKey) throw error;
      return await publishInOne(db, input, false);
    });
    for (const source of unshown) await showFirstMapping(db, source);
    return published;
  } catch (error) {
    if (!isAboutOneSlice(error)) throw error;
    const why = messageOf(await namingHolders(db, error));
    throw new SkippableError(
      `Postgres refused to publish: ${why}. It was rolled back. The loaded pages are still stored, and the next sync tries again`,
      {},
      { cause: error },
    );
  }
}

interface Done {
  readonly published: Published;
  readonly unshown: readonly LogicalSource[];
}

/** @param tryFirst true if records may go from the pages straight into versions */
async function publishInOne(db: Executor, input: PublishInput, tryFirst: boolean): Promise<Done> {
  return await db.transaction().execute(async (tx) => {
    const opened = await openPublish(tx, input);
    const { scope, again, hasEarlier, leavesClientsOut, tables } = opened;
    const isIncremental = input.archive?.isIncremental === true;
    const first =
      tryFirst && isNewScope(input, opened) ? await insertFirst(tx, input, scope, input.key) : undefined;
    if (
      input.fixesKey &&
      (first === undefined || !isDeepStrictEqual(await fixRecordKey(tx, scope, input.key), input.key))
    )
      throw new UnfitKeyError(input.key);
    const { applied, keyConflicts, failure, warning, kept } =
      first === undefined ? await publishCompared(tx, input, opened) : allInserted(first);
    const { counts, written, sinceLast } = applied;
    const touchedBeside = opened.hasEnvelope ? await publishEnvelope(tx, input, opened) : 0;
    if (opened.hasNewTypes) {
      const { hasEnvelope } = opened;
      await learnFields(tx, input, scope, {
        versions: written,
        isAll: written === counts.records,
        hasEnvelope,
      });
    }
    const unshown =
      applied.touched + touchedBeside === 0
        ? []
        : await updateTyped(tx, scope, tables, { isFirst: first !== undefined, isIncremental, again });
    if (leavesClientsOut) await dropForgottenRows(tx, scope);
    const found = { ...counts, keyConflicts };
    const { archive, hasLeft = false } = input;
    const depth =
      archive === undefined || archive.isIncremental || !hasEarlier
        ? undefined
        : await lookBack(tx, input, scope, archive.rule, counts);
    const incremental = isIncremental ? archive : undefined;
    const finished = await finishSlice(tx, input, scope, found, {
      incremental,
      hasLeft,
      failure,
      depth,
      kept,
    });
    await noteClients(tx, scope);
    // The slice reports what its run date changed, the run what it found.
    return { published: { ...found, ...sinceLast, ...finished, failure, warning }, unshown };
  });
}

/** True if there is nothing to compare the records with and, as far as is known, each has its own key. */
function isNewScope(input: PublishInput, opened: OpenedPublish): boolean {
  const { again, hasEarlier, hasVersions, hasPageKeys, leavesClientsOut } = opened;
  const isNew = !again && !hasEarlier && !hasVersions;
  const isKeyed = input.key.length > 0 || hasPageKeys;
  return (
    isNew && isKeyed && !leavesClientsOut && input.pages === 'chain' && input.storesOnceBut === undefined
  );
}

function allInserted(records: number): Records {
  const counts = { records, inserted: records, changed: 0, vanished: 0, unchanged: 0 };
  const applied = { counts, written: records, touched: records, sinceLast: undefined };
  return { applied, keyConflicts: 0, failure: undefined, warning: undefined, kept: [] };
}

async function publishEnvelope(
  tx: Executor,
  input: PublishInput,
  { scope, again }: OpenedPublish,
): Promise<number> {
  await fillEnvelope(tx, input);
  if (input.archive?.isIncremental === true) await mergeEnvelope(tx, scope);
  const change = { ...scope, stream: 'envelope', again, onlyKey: scope.stream };
  return (await applyVersions(tx, change)).touched;
}

/** Compares a full refresh of an archive with an earlier run date, to judge incremental refreshes. */
async function lookBack(
  tx: Executor,
  slice: SliceKey,
  scope: VersionScope,
  rule: IncrementalRule,
  counts: VersionCounts,
): Promise<Depth> {
  const last = await tx
    .selectFrom('sync.page')
    .select((eb) => eb.fn.max('page_no').as('pages'))
    .where('account', '=', slice.account)
    .where('slice_id', '=', slice.sliceId)
    .where('is_reread', '=', false)
    .executeTakeFirst();
  const pages = last?.pages ?? 0;
  return depthOf(rule, await changesByPage(tx, scope, pages), { pages, vanished: counts.vanished });
}

interface Ending {
  /** Set for an incremental refresh, with the pages that a full one would have had. */
  readonly incremental: { readonly fullPages: number } | undefined;
  readonly hasLeft: boolean;
  readonly failure: string | undefined;
  readonly depth: Depth | undefined;
  readonly kept: readonly string[];
}

interface Finished {
  readonly pages: number;
  readonly pagesSaved: number;
  readonly late: number;
}

/** Ends a publish: drops the pages, marks the slice with its counts, and notes its scope's newest date. */
async function finishSlice(
  tx: Executor,
  slice: SliceKey,
  { stream, account, clientId, runDate }: VersionScope,
  counts: Omit<Published, keyof Finished | 'failure' | 'warning'>,
  { incremental, hasLeft, failure, depth, kept }: Ending,
): Promise<Finished> {
  const isIncremental = incremental !== undefined;
  const ofScope = (row: 's' | 'n') =>
    sql`${sql.ref(`${row}.account`)} = ${account} and ${sql.ref(`${row}.stream`)} = ${stream} and ${sql.ref(`${row}.client_id`)} = ${clientId}`;
  const result = await sql<{ pages: number; pages_saved: number }>`${prepared}
    with gone as (
      delete from sync.page p where ${pagesOf(slice)} returning requests, replaced_values
    ), total as (
      select count(*) as pages, coalesce(sum(replaced_values), 0) as replaced from gone
    ), finished as (update sync.slice s set
      status = ${failure === undefined ? 'complete' : 'failed'}, error = ${failure ?? null},
      failed_rule = null, lacking = ${kept.length === 0 ? null : kept.slice(0, mostLacking)}::text[], unpublished_records = 0, completed_at = clock_timestamp(), updated_at = clock_timestamp(),
      walked_at = clock_timestamp(),
      pages = total.pages, records = ${counts.records}, replaced_values = total.replaced,
      inserted = ${counts.inserted}, changed = ${counts.changed}, vanished = ${counts.vanished},
      unchanged = ${counts.unchanged}, key_conflicts = ${counts.keyConflicts},
      walk = case when ${hasLeft}::boolean then 'left' when s.walk = 'details' then s.walk
        when ${isIncremental}::boolean then 'incremental' else 'full' end,
      pages_saved = case when ${isIncremental}::boolean then greatest(${incremental?.fullPages ?? 0}::integer - total.pages, 0) else 0 end,
      full_run_date = case when ${isIncremental}::boolean then (
        select max(f.full_run_date) from sync.slice f
        where f.stream = s.stream and f.account = s.account and f.client_id = s.client_id
          and f.completed_at is not null and f.run_date < s.run_date
      ) else s.run_date end,
      depth = ${depth?.depth ?? null}::integer, late = ${depth?.late ?? 0}
    from total where ${rowOf(slice)}
    returning s.*
    ), previous as (
      -- Without a join, which would read every scope: publishing switches nested loops off.
      update sync.slice s set next_date = ${runDate}::date
      where ${ofScope('s')} and s.run_date = (
        select n.run_date from sync.newest n where ${ofScope('n')} and n.run_date < ${runDate}::date
      )
    ), newest as (
      insert into sync.newest as n (account, stream, client_id, run_date, completed_at)
      select account, stream, client_id, run_date, completed_at from finished
      on conflict (account, stream, client_id)
      do update set run_date = excluded.run_date, completed_at = excluded.completed_at
    )
    select pages, pages_saved from finished`.execute(tx);
  const row = result.rows[0];
  return { pages: row?.pages ?? 0, pagesSaved: row?.pages_saved ?? 0, late: depth?.late ?? 0 };
}
