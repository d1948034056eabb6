// Which logical sources have no rows yet, and why, by a few index probes.
import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import type { Executor, SliceStatus } from '../db/database.ts';
import type { LogicalSource } from '../mapping/logical/logical-source.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';

/**
 * `never_synced`; `waiting` for its first publish; `failed` before it; `unavailable` on this account; `no_records`: the
 * answers held none; `no_list`: they did, but the list whose elements are the rows is not found, or empty.
 */
export type WhyMissing = 'never_synced' | 'waiting' | 'failed' | 'unavailable' | 'no_records' | 'no_list';

export interface MissingData {
  readonly stream: string;
  readonly why: WhyMissing;
}

/** By the name of the source; those that have rows are left out. */
export async function readMissingData(db: Executor): Promise<ReadonlyMap<string, MissingData>> {
  const sources = await installedSources(db);
  if (sources.length === 0) return new Map();
  const probes = sources.map((source) => {
    const rows = sql.raw(`bi_map.${escapeIdentifier(`${source.name}_version`)}`);
    return sql`
      select ${source.name}::text as source, exists (select from ${rows}) as "hasRows", ${hasRecords(source)} as "hasRecords"`;
  });
  const { rows } = await sql<{ source: string; hasRows: boolean; hasRecords: boolean }>`
    ${sql.join(probes, sql` union all `)}`.execute(db);
  const facts = new Map(rows.map((row) => [row.source, row]));
  const empty = sources.filter(({ name }) => facts.get(name)?.hasRows === false);
  const reasons = await readReasons(db, [...new Set(empty.map(({ stream }) => stream))]);
  return new Map(
    empty.map(({ name, stream }) => {
      const why = reasons.get(stream) ?? 'never_synced';
      const isRead = why === 'no_records' && facts.get(name)?.hasRecords === true;
      return [name, { stream, why: isRead ? 'no_list' : why }];
    }),
  );
}

/** A newer release may know others, whose tables the next sync makes. */
async function installedSources(db: Executor): Promise<readonly LogicalSource[]> {
  const rows = await db
    .selectFrom('sync.typed_table')
    .select('source')
    .where('is_next', '=', false)
    .execute();
  return logicalSources.filter(({ name }) => rows.some(({ source }) => source === name));
}

/** Of a source whose rows are the elements of a list in its records; of others records are rows. */
function hasRecords({ stream, envelope, rows }: LogicalSource) {
  if (rows === undefined) return sql`false`;
  if (envelope) return sql`exists (select from snapshot.envelope where record_key = ${stream})`;
  return sql`exists (select from ${sql.raw(`snapshot.${escapeIdentifier(stream)}`)})`;
}

/** By the slices of the stream's newest run date; a stream without slices is left out. */
async function readReasons(
  db: Executor,
  streams: readonly string[],
): Promise<ReadonlyMap<string, WhyMissing>> {
  const { rows } = await sql<{ stream: string; published: boolean; statuses: SliceStatus[] }>`
    select w.stream, exists (select from sync.newest as n where n.stream = w.stream) as published,
      array(select distinct s.status from sync.slice as s where s.stream = w.stream and s.run_date = d.newest) as statuses
    from unnest(${[...streams]}::text[]) as w (stream)
    cross join lateral (select max(run_date) as newest from sync.slice as s where s.stream = w.stream) as d
    where d.newest is not null`.execute(db);
  return new Map(rows.map(({ stream, published, statuses }) => [stream, reasonOf(published, statuses)]));
}

function reasonOf(published: boolean, statuses: readonly SliceStatus[]): WhyMissing {
  if (published) return 'no_records';
  if (statuses.includes('failed')) return 'failed';
  return statuses.every((status) => status === 'unavailable') ? 'unavailable' : 'waiting';
}
