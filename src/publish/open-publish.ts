// Begins a publish: one statement locks everything, another reads what decides how it goes on. A slice of one record
// spends most of its time between Node and Postgres, so every statement counts.
import { sql } from 'kysely';
import { SkippableError } from '../core/errors.ts';
import { ahead, type Executor, listOf, prepared } from '../db/database.ts';
import { sourcesOf } from '../mapping/logical/logical-sources.ts';
import { createIncoming } from '../store/pages/incoming.ts';
import {
  type Claim,
  LostSliceError,
  pagesOf,
  rowOf,
  type Scope,
  type VersionScope,
} from '../store/slices/slices.ts';
import { gapText, isWholeWalk, type StoredPages } from '../store/slices/walk-history.ts';
import type { PublishInput } from './publish-input.ts';
import { createTouched } from './tables/touched.ts';
import {
  type MappedTable,
  type StoredTable,
  scopeLocks,
  storedTables,
  tablesOf,
} from './tables/typed-tables.ts';

export interface OpenedPublish {
  readonly scope: VersionScope;
  readonly count: number;
  readonly again: boolean;
  readonly hasEarlier: boolean;
  readonly hasVersions: boolean;
  /** The pages hold more than their lists, or an envelope of theirs is stored. */
  readonly hasEnvelope: boolean;
  /** Every page is one record and names its key. */
  readonly hasPageKeys: boolean;
  readonly hasNewTypes: boolean;
  /** Tables of its typed rows; until the end of the transaction no other takes their place. */
  readonly tables: readonly MappedTable[];
  /** The slice is the account's own and some clients are forgotten: none of their records comes in. */
  readonly leavesClientsOut: boolean;
}

/** A server crash took back the newest pages, whose commits do not wait for the disc. */
export class LostPagesError extends SkippableError {}

/**
 * Locks a slice that the run walks, and its scope: two run dates of one scope are never published at the same time.
 * @throws LostSliceError when the slice is no longer the run's, or its client is forgotten
 * @throws LostPagesError when stored pages of the walk are missing
 * @throws SkippableError when a newer run date of the scope is published
 */
export async function openPublish(
  tx: Executor,
  claim: Claim & Scope & Pick<PublishInput, 'pages' | 'lastPage'>,
): Promise<OpenedPublish> {
  const { pages, lastPage } = claim;
  const { stream, account, clientId } = claim;
  await lockSlice(tx, claim, pages === 'incremental');
  const facts = await readFacts(tx, claim);
  if (facts === undefined || facts.isForgotten) throw new LostSliceError();
  const scope = { stream, account, clientId, runDate: facts.runDate };
  if (facts.newer !== null) {
    throw new SkippableError(
      `Run date ${scope.runDate} of ${stream} is older than ${facts.newer}, which is already published. History is never rewritten`,
      { account, stream, clientId },
    );
  }
  if (!isWholeWalk(pages, facts) || (lastPage !== undefined && facts.last !== lastPage))
    throw new LostPagesError(gapText(pages, facts));
  if (!facts.hasTables) {
    await createIncoming(tx);
    await createTouched(tx);
  }
  return { scope, ...facts, tables: tablesOf(facts.tables) };
}

/** Locks the slice. The settings hold until the end of the transaction. */
async function lockSlice(tx: Executor, claim: Claim & Scope, isIncremental: boolean): Promise<void> {
  const settings = {
    // Before Postgres 18 a plan with switched-off nodes counts as expensive, and expensive plans are compiled: half a
    // second each.
    jit: 'off',
    work_mem: '64MB',
    // The plan must not depend on statistics, which are stale right after a first load: nested loops over rows
    // estimated as one made the same publish 50 times as slow. An incremental refresh compares few records with many
    // stored ones, so it looks each one up.
    ...(isIncremental ? { enable_hashjoin: 'off', enable_mergejoin: 'off' } : { enable_nestloop: 'off' }),
  };
  const set = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await sql`${prepared}
    select ${scopeLocks(claim)}, ${sql.join(set)}
    from sync.slice s
    where ${isMine(claim)}
    for update ${ahead}`.execute(tx);
}

const isMine = (claim: Claim) => sql`${rowOf(claim)} and s.run_id = ${claim.runId} and s.status = 'walking'`;

interface Facts extends StoredPages, Omit<OpenedPublish, 'scope' | 'tables'> {
  readonly runDate: string;
  readonly tables: readonly StoredTable[];
  readonly newer: string | null;
  readonly isForgotten: boolean;
  readonly hasTables: boolean;
}

/** Undefined if the slice is no longer the run's; then nothing is locked. */
async function readFacts(tx: Executor, claim: Claim & Scope): Promise<Facts | undefined> {
  const { stream, account, clientId } = claim;
  const date = sql`s.run_date`;
  const published = (what: string) => sql`
    select ${sql.raw(what)} from sync.slice o
    where o.account = ${account} and o.stream = ${stream} and o.client_id = ${clientId} and o.completed_at is not null`;
  const versions = sql`r.account = ${account} and r.client_id = ${clientId}`;
  const { rows } = await sql<Facts>`${prepared}
    select
      s.run_date as "runDate",
      (${published('max(o.run_date)')} and o.run_date > ${date}) as newer,
      exists (${published('')} and o.run_date = ${date}) as again,
      exists (${published('')} and o.run_date < ${date}) as "hasEarlier",
      exists (
        select from ${sql.id('snapshot', stream)} r where ${versions}
      ) as "hasVersions",
      p.has_rest or exists (
        select from snapshot.envelope r
        where ${versions} and r.until in ('infinity', ${date}) and r.record_key = ${stream}
      ) as "hasEnvelope",
      p.has_keys as "hasPageKeys", p.has_new_types as "hasNewTypes", p.count, p.last, p.ends, p.at_end as "atEnd",
      sync.is_forgotten(${account}, ${clientId}) as "isForgotten",
      ${clientId}::text = '' and sync.blocks_clients(${account}) as "leavesClientsOut",
      ${listOf(storedTables(sourcesOf(stream)))} as tables,
      to_regclass('pg_temp.incoming') is not null and to_regclass('pg_temp.touched') is not null as "hasTables"
    from (
      select count(*) filter (where not is_reread) as count,
        coalesce(max(page_no) filter (where not is_reread), 0) as last,
        count(*) filter (where not is_reread and next_cursor is null) as ends,
        coalesce((array_agg(next_cursor is null order by page_no desc) filter (where not is_reread))[1], false) as at_end,
        coalesce(bool_or(rest is not null), false) as has_rest, coalesce(bool_or(has_new_types), false) as has_new_types,
        coalesce(bool_and(record_key is not null), false) as has_keys
      from sync.page p where ${pagesOf(claim)}
    ) as p
    join sync.slice s on ${isMine(claim)}`.execute(tx);
  return rows[0];
}
