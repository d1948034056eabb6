// The readiness of the curated views: ready, with part of what they could show, or empty, and why.
import { type RawBuilder, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { type CatalogueView, catalogue } from '../db/code/catalogue.ts';
import { fieldsOf } from '../db/code/origin.ts';
import { atOnce, type Executor, eachWithin, type SliceStatus } from '../db/database.ts';
import { type LogicalSource, rowsField } from '../mapping/logical/logical-source.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import {
  type FieldWorth,
  lacking,
  lackingInRoutes,
  readFieldStates,
  type Worth,
  worthOf,
} from './field-states.ts';

/** A view not found empty by then counts as having rows. For one client, views answer far sooner. */
const probeMs = 2_000;

/** @param views as `bi.clients`, with their columns */
export async function findViewsWithRows(
  db: Executor,
  views: readonly { readonly view: string; readonly columns: readonly string[] }[],
): Promise<ReadonlySet<string>> {
  if (views.length === 0) return new Set();
  const client = await someClient(db);
  const ofClients = views.filter(({ columns }) => client !== undefined && columns.includes('client_id'));
  // Views find the rows of one client through an index; many would sort those of all.
  const found = await thoseWith(db, ofClients, sql`where client_id = ${client}`);
  const others = views.filter(({ view }) => !found.has(view));
  return new Set([...found, ...(await thoseWith(db, others, sql``))]);
}

/**
 * Runs a statement for each view, without a transaction over all, so that nobody waits for a lock on a view
 * that was looked at.
 */
async function thoseWith(
  db: Executor,
  views: readonly { readonly view: string }[],
  which: RawBuilder<unknown>,
): Promise<ReadonlySet<string>> {
  const probes = views.map(
    ({ view }) => sql<{ found: boolean }>`
      select exists (select from ${sql.id(...view.split('.'))} ${which}) as found`,
  );
  const answers = await eachWithin(db, probeMs, probes);
  return new Set(views.flatMap(({ view }, place) => (answers[place]?.[0]?.found === false ? [] : [view])));
}

/** Returns the client with the most published streams. */
async function someClient(db: Executor): Promise<string | undefined> {
  const { rows } = await sql<{ client_id: string }>`
    select client_id from sync.newest where client_id <> ''
    group by client_id order by count(*) desc, client_id limit 1`.execute(db);
  return rows[0]?.client_id;
}

/**
 * `never_synced`; `waiting` for its first publish; `failed` before it; `unavailable` on this account; `no_records`: the
 * answers held none; `no_list`: they did, but the list whose elements are the rows is not found, or empty.
 */
export type WhyMissing = 'never_synced' | 'waiting' | 'failed' | 'unavailable' | 'no_records' | 'no_list';

export interface MissingData {
  readonly stream: string;
  readonly why: WhyMissing;
}

/** Reads the missing data by the name of the source; sources with rows are left out. */
async function readMissingData(db: Executor): Promise<ReadonlyMap<string, MissingData>> {
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

/** Leaves out sources of a newer release, whose tables the next sync makes. */
async function installedSources(db: Executor): Promise<readonly LogicalSource[]> {
  const rows = await db
    .selectFrom('sync.typed_table')
    .select('source')
    .where('is_next', '=', false)
    .execute();
  return logicalSources.filter(({ name }) => rows.some(({ source }) => source === name));
}

/** SQL: whether a source whose rows are elements of a list has records; false for other sources. */
function hasRecords({ stream, envelope, rows }: LogicalSource) {
  if (rows === undefined) return sql`false`;
  if (envelope) return sql`exists (select from snapshot.envelope where record_key = ${stream})`;
  return sql`exists (select from ${sql.raw(`snapshot.${escapeIdentifier(stream)}`)})`;
}

/** Finds the reason by the slices of the stream's newest run date; a stream without slices is left out. */
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

export interface ColumnGap {
  /** `(rows)`: the view has none because their list is not found. */
  readonly column: string;
  readonly reads: 'nothing' | 'partly';
  /** The logical fields to map, as `rank_now.score`; empty: their streams have no data yet. */
  readonly fields: readonly string[];
}

export interface ViewReadiness {
  /** `bi.rank_trend` */
  readonly view: string;
  /** `partial`: it has rows, and columns that read nothing, or not all; `empty`: it has no rows. */
  readonly state: 'ready' | 'partial' | 'empty';
  readonly gaps: readonly ColumnGap[];
  /** Columns of fields that nothing in the data looks like: they stay empty, and the view is ready all the same. */
  readonly absent: readonly string[];
  readonly missing: readonly MissingData[];
}

export interface Readiness {
  readonly ready: number;
  readonly partial: number;
  readonly empty: number;
  readonly views: readonly ViewReadiness[];
  /** The streams that a column is made from, by its name as `bi.prompts.presence_rate`; those of most views are left out. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
}

/** The counts of all views, and only those views that are not ready. */
export interface ReadinessSummary extends Omit<Readiness, 'views' | 'streams'> {
  readonly not_ready: readonly ViewReadiness[];
}

export function summarize({ views, ready, partial, empty }: Readiness): ReadinessSummary {
  return { ready, partial, empty, not_ready: views.filter(({ state }) => state !== 'ready') };
}

/**
 * Returns true if fields were looked for since the previous batch; only that, or a mapping set by a user,
 * changes which views are ready.
 */
export async function hasMapped(db: Executor, batchId: number): Promise<boolean> {
  const { rows } = await sql`
    select from sync.mapping_search
    where searched_at > coalesce((select max(finished_at) from sync.batch where id < ${batchId}), '-infinity')
    limit 1`.execute(db);
  return rows.length > 0;
}

/** @param counted rows of views, by name as `bi.rank_trend`; others are probed */
export async function readReadiness(
  db: Executor,
  counted: Promise<ReadonlyMap<string, number>> | ReadonlyMap<string, number> = new Map(),
): Promise<Readiness> {
  const described = catalogue();
  const filled = async (one: Executor) => {
    const rows = await counted;
    const unknown = described
      .filter(({ view }) => !rows.has(view))
      .map(({ view, columns }) => ({ view, columns: columns.map((column) => column.name) }));
    const known = [...rows].flatMap(([view, count]) => (count > 0 ? [view] : []));
    return new Set([...known, ...(await findViewsWithRows(one, unknown))]);
  };
  const [states, missing, withRows] = await atOnce(db, (one) =>
    Promise.all([readFieldStates(one), readMissingData(one), filled(one)]),
  );
  const worth =
    (isAbsentMissed: boolean) =>
    (source: string, field: string): Worth | undefined => {
      if (missing.has(source)) return 'no_data';
      const state = states.get(`${source}.${field}`) ?? 'nothing';
      if (state === 'absent') return isAbsentMissed ? 'nothing' : undefined;
      return state === 'none' ? undefined : state;
    };
  const views = described.map((one) =>
    readinessOf(one, withRows.has(one.view), {
      worth: worth(false),
      strictly: worth(true),
      missing,
      common: commonColumns(described),
      lacksRows: (source) => states.get(`${source}.${rowsField}`) === 'nothing',
    }),
  );
  const count = (state: ViewReadiness['state']) => views.filter((view) => view.state === state).length;
  const streams = streamsByColumn(described, commonColumns(described));
  return { ready: count('ready'), partial: count('partial'), empty: count('empty'), views, streams };
}

function streamsByColumn(
  views: readonly CatalogueView[],
  common: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const streamOf = new Map(logicalSources.map(({ name, stream }) => [name, stream]));
  const found = views.flatMap(({ view, columns }) =>
    columns
      .filter(({ name }) => !common.has(name))
      .map(({ name: column, origin }) => {
        const streams = fieldsOf(origin).flatMap(({ source }) => streamOf.get(source) ?? []);
        return [`${view}.${column}`, [...new Set(streams)]] as const;
      }),
  );
  return new Map(found.filter(([, streams]) => streams.length > 0));
}

const isRead = (worth: Worth | undefined) => worth === 'read' || worth === 'partly';

/** Finds columns of most views, such as name and sector of the client: no view waits for them. */
function commonColumns(views: readonly CatalogueView[]): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const { columns } of views) {
    for (const { name } of columns) times.set(name, (times.get(name) ?? 0) + 1);
  }
  return new Set([...times].flatMap(([column, count]) => (count * 2 > views.length ? [column] : [])));
}

interface DataFacts {
  readonly common: ReadonlySet<string>;
  readonly worth: FieldWorth;
  /** The same, except that a field counts as missed although nothing in the data looks like it. */
  readonly strictly: FieldWorth;
  readonly missing: ReadonlyMap<string, MissingData>;
  /** The list whose elements are its rows is not found. */
  readonly lacksRows: (source: string) => boolean;
}

function readinessOf({ view, columns }: CatalogueView, hasRows: boolean, facts: DataFacts): ViewReadiness {
  const own = columns.filter(({ name }) => !facts.common.has(name));
  // Columns that most views have are reported once, with bi.clients.
  const told = view === 'bi.clients' ? columns : own;
  const lacksOf = hasRows ? lacking : lackingInRoutes;
  const unlike = told.filter(
    ({ origin }) => lacksOf(origin, facts.worth).length === 0 && lacksOf(origin, facts.strictly).length > 0,
  );
  // A view of which nothing is read is not ready, whatever the data has.
  const isOfUse = own.some(
    ({ origin }) => fieldsOf(origin).length > 0 && isRead(worthOf(origin, facts.strictly)),
  );
  const worth = unlike.length === 0 || isOfUse ? facts.worth : facts.strictly;
  const incomplete = told.flatMap(({ name: column, origin }) => {
    const lacks = lacksOf(origin, worth);
    return lacks.length === 0 ? [] : [{ column, worth: worthOf(origin, worth), lacks }];
  });
  const gaps = incomplete.map(({ column, worth, lacks }): ColumnGap => {
    const unmapped = lacks.filter(({ source }) => !facts.missing.has(source));
    return {
      column,
      reads: worth === 'partly' ? 'partly' : 'nothing',
      fields: unmapped.map(({ source, field }) => `${source}.${field}`),
    };
  });
  const state = !hasRows ? 'empty' : gaps.length > 0 ? 'partial' : 'ready';
  // An empty view may wait for each of its sources, a partial one for those of its empty columns.
  const wanted =
    state === 'empty'
      ? own.flatMap(({ origin }) => fieldsOf(origin))
      : incomplete.flatMap(({ lacks }) => lacks);
  const absent = [...new Set(wanted.map(({ source }) => source))].filter((source) =>
    facts.missing.has(source),
  );
  // A list that is not found is a matter of the mapping.
  const isUnlisted = (source: string) =>
    facts.missing.get(source)?.why === 'no_list' && facts.lacksRows(source);
  const unlisted = absent.filter(isUnlisted).map(
    (source): ColumnGap => ({
      column: rowsField,
      reads: 'nothing',
      fields: [`${source}.${rowsField}`],
    }),
  );
  const missing = absent.flatMap((source) => (isUnlisted(source) ? [] : (facts.missing.get(source) ?? [])));
  return {
    view,
    state,
    absent: worth === facts.strictly ? [] : unlike.map(({ name }) => name),
    gaps: [...unlisted, ...gaps.filter(({ fields }) => fields.length > 0 || state === 'partial')],
    missing: [...new Map(missing.map((one) => [one.stream, one])).values()],
  };
}
