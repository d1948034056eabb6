// How a publish ends: the pages go, the slice is marked with its counts, and its scope's newest date is noted.
import { sql } from 'kysely';
import { type Executor, prepared } from '../db/database.ts';
import { pagesOf, rowOf, type SliceKey } from '../store/slices/slices.ts';
import type { Depth } from '../store/validation/incremental.ts';
import { mostLacking } from '../store/validation/scope-history.ts';
import type { VersionCounts } from './versions.ts';

interface Published extends VersionCounts {
  readonly keyConflicts: number;
  readonly envelopeConflicts: number;
}

interface Ending {
  /** An incremental refresh, and the pages that a full one would have had; undefined: it was a full refresh. */
  readonly head: { readonly fullPages: number } | undefined;
  /** The client is no longer listed. */
  readonly hasLeft: boolean;
  readonly failure: string | undefined;
  /** What a full refresh of an archive shows about incremental refreshes. */
  readonly depth: Depth | undefined;
  /** Keys of records that stay although the walk lacked them. */
  readonly kept: readonly string[];
}

export interface Finished {
  readonly pages: number;
  readonly pagesSaved: number;
  readonly late: number;
}

export async function finishSlice(
  tx: Executor,
  slice: SliceKey,
  counts: Published,
  { head, hasLeft, failure, depth, kept }: Ending,
): Promise<Finished> {
  const isHead = head !== undefined;
  const result = await sql<{ pages: number; pages_saved: number }>`${prepared}
    with gone as (
      delete from sync.page p where ${pagesOf(slice)} returning requests, replaced_values
    ), total as (
      select count(*) as pages, coalesce(sum(replaced_values), 0) as replaced from gone
    ), finished as (update sync.slice s set
      status = ${failure === undefined ? 'complete' : 'failed'}, error = ${failure ?? null},
      doubt = null, lacking = ${kept.length === 0 ? null : kept.slice(0, mostLacking)}::text[], doubt_found = 0, completed_at = clock_timestamp(), updated_at = clock_timestamp(),
      walked_at = clock_timestamp(),
      pages = total.pages, records = ${counts.records}, replaced_values = total.replaced,
      inserted = ${counts.inserted}, changed = ${counts.changed}, vanished = ${counts.vanished},
      unchanged = ${counts.unchanged}, key_conflicts = ${counts.keyConflicts},
      envelope_conflicts = ${counts.envelopeConflicts},
      walk = case when ${hasLeft}::boolean then 'left' when s.walk = 'details' then s.walk
        when ${isHead}::boolean then 'head' else 'full' end,
      pages_saved = case when ${isHead}::boolean then greatest(${head?.fullPages ?? 0}::integer - total.pages, 0) else 0 end,
      full_run_date = case when ${isHead}::boolean then (
        select max(f.full_run_date) from sync.slice f
        where f.stream = s.stream and f.account = s.account and f.client_id = s.client_id
          and f.completed_at is not null and f.run_date < s.run_date
      ) else s.run_date end,
      depth = ${depth?.depth ?? null}::integer, late = ${depth?.late ?? 0}
    from total where ${rowOf(slice)}
    returning s.*
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
