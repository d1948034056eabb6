// The stored records of a scope and how its last run dates ended; answers are validated against them.
import { sql } from 'kysely';
import { minutesBetweenLooks, type ValidationRule } from '../../core/errors.ts';
import type { Executor, SliceStatus } from '../../db/database.ts';
import { type Claim, pagesOf, rowOf, type Scope } from '../slices/slices.ts';

/** A run date of the scope whose attempt has ended. */
interface JudgedDate {
  readonly run_date: string;
  readonly status: SliceStatus;
  readonly failed_rule: ValidationRule | null;
}

export interface ScopeHistory {
  readonly hadData: boolean;
  readonly hasCurrent: boolean;
  /** Outlines of the scope's newest stored bodies or records, current ones first; null if not an object. */
  readonly samples: readonly unknown[];
  readonly sampleKeys: readonly string[];
  /** Earlier run dates on which the scope was published; counts up to two. */
  readonly publishedDates: number;
  readonly lastFullPages: number;
  /** The previous run date ended without data, and there never was any. */
  readonly wasUnavailable: boolean;
  /** Counts the run dates refused by the rule, in the series of refusals just before this one. */
  datesBefore(rule: ValidationRule): number;
}

/** Three dates in a row are enough for every rule, so more would change nothing. */
const mostDates = 5;

/** Longer values are left out: a sample needs only field names and identifiers of clients. */
const longestOutline = 300;

/**
 * SQL for what is stored of a scope before its walk, as `historyOf` reads it.
 * @param samples number of stored records to look at, at least 1
 */
export const scopeHistory = ({ stream, account, clientId }: Scope, runDate: string, samples: number) => {
  const ofScope = sql`stream = ${stream} and account = ${account} and client_id = ${clientId}`;
  return sql<HistoryRow>`
    with newest as materialized (
      select payload, record_key, row_number() over () as place from (
        select payload, record_key from ${sql.id('snapshot', stream)} where ${ofScope} order by until desc limit ${samples}
      ) as r
    )
    select
      coalesce((select jsonb_agg(case when jsonb_typeof(payload) = 'object' then (
        select coalesce(jsonb_object_agg(f.key, case when octet_length(f.value::text) < ${longestOutline} then f.value end), '{}')
        from jsonb_each(payload) as f
      ) end order by place) from newest), '[]') as samples,
      array(select record_key from newest order by place) as sample_keys,
      exists (select from ${sql.id('snapshot', stream)} where ${ofScope} and until = 'infinity') as has_current,
      (select jsonb_agg(d) from (
        select run_date, status, failed_rule from sync.slice
        where ${ofScope} and run_date <= ${runDate}::date
          and (failed_rule is not null or completed_at is not null or status = 'unavailable')
        order by run_date desc limit ${mostDates}
      ) as d) as dates,
      (select count(*)::integer from (
        select from sync.slice where ${ofScope} and run_date < ${runDate}::date and completed_at is not null limit 2
      ) as d) as published_dates,
      (select pages from sync.slice
        where ${ofScope} and run_date <= ${runDate}::date and completed_at is not null and walk = 'full'
        order by run_date desc limit 1) as last_full_pages`;
};

export function historyOf(row: HistoryRow | undefined, runDate: string): ScopeHistory {
  const dates = row?.dates ?? [];
  const before = dates.filter((date) => date.run_date < runDate);
  const stored = row?.samples ?? [];
  return {
    hadData: stored.length > 0,
    hasCurrent: row?.has_current ?? false,
    samples: stored,
    sampleKeys: row?.sample_keys ?? [],
    publishedDates: row?.published_dates ?? 0,
    lastFullPages: row?.last_full_pages ?? 0,
    wasUnavailable: stored.length === 0 && before[0]?.status === 'unavailable',
    datesBefore: (rule) => {
      const fine = before.findIndex((date) => date.failed_rule === null);
      return before.filter((date, place) => date.failed_rule === rule && (fine === -1 || place < fine))
        .length;
    },
  };
}

export interface HistoryRow {
  samples: readonly unknown[];
  sample_keys: readonly string[];
  has_current: boolean;
  dates: readonly JudgedDate[] | null;
  published_dates: number;
  last_full_pages: number | null;
}

interface Unconfirmed {
  readonly status: 'failed' | 'unavailable';
  readonly rule: ValidationRule;
  readonly error: string;
  readonly lacking: readonly string[];
  readonly found: number;
}

/** Maximum number of keys stored of an unconfirmed walk, for comparison with a second one. */
export const mostLacking = 10_000;

/**
 * Ends the attempt on a slice whose answer is not confirmed: drops its pages, keeps what is published. Returns the time
 * from which a second look would prove it; undefined if it was not the first of the run date.
 */
export async function endUnconfirmed(
  db: Executor,
  claim: Claim,
  unconfirmed: Unconfirmed,
): Promise<Date | undefined> {
  const { status, rule, error } = unconfirmed;
  // Sampled by content, not by order, so that a second walk is compared with all parts of the list.
  const lacking = [...unconfirmed.lacking].slice(0, mostLacking);
  const { rows } = await sql<{ at: Date | null }>`
    with ended as (
      update sync.slice s set
        status = ${status}, error = ${error}, failed_rule = ${rule}, lacking = ${lacking}::text[],
        unpublished_records = ${unconfirmed.found},
        failed_validations = case when failed_rule = ${rule} then failed_validations + 1 else 1 end,
        pages = 0, records = 0, updated_at = clock_timestamp(), walked_at = clock_timestamp()
      where ${rowOf(claim)} and run_id = ${claim.runId} and status = 'walking'
      returning case when failed_validations = 1 then walked_at + make_interval(mins => ${minutesBetweenLooks}) end as at
    ), dropped as (
      delete from sync.page p where ${pagesOf(claim)} and exists (select from ended)
    )
    select at from ended`.execute(db);
  return rows[0]?.at ?? undefined;
}
