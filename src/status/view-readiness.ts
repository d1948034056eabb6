// Finds the curated views that have rows, the columns that lack a field, and why.
import { type RawBuilder, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { type CatalogueView, catalogue, commonColumns } from '../db/code/catalogue.ts';
import { type FieldOrigin, fieldsOf, type Origin } from '../db/code/origin.ts';
import { atOnce, type Executor, eachWithin } from '../db/database.ts';
import { rowsField } from '../mapping/logical/logical-source.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import {
  type FieldState,
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

async function someClient(db: Executor): Promise<string | undefined> {
  const { rows } = await sql<{ client_id: string }>`
    select client_id from sync.newest where client_id <> ''
    group by client_id order by count(*) desc, client_id limit 1`.execute(db);
  return rows[0]?.client_id;
}

/**
 * `not_found`: something in the data may be the field, but nobody said so, or too few values can be read; `absent`:
 * nothing looks like it. The others concern its stream: `waiting` for its first publish; `failed` before it;
 * `unavailable` on this account; `no_records`: the answers held none.
 */
export type WhyLacking =
  | 'not_found'
  | 'absent'
  | 'never_synced'
  | 'waiting'
  | 'failed'
  | 'unavailable'
  | 'no_records';

export interface Lack {
  readonly column: string;
  /** `partly`: in some rows, or some of the values. */
  readonly shows: 'nothing' | 'partly';
  /** `rank_now.score`; `rank_now.(rows)`: the list whose elements are the rows. */
  readonly field: string;
  readonly stream: string;
  readonly why: WhyLacking;
}

export interface ViewReadiness {
  readonly view: string;
  readonly has_rows: boolean;
  readonly lacks: readonly Lack[];
}

export interface Readiness {
  /** Curated views, with and without rows. */
  readonly count: number;
  readonly with_rows: number;
  /** The views without rows, and those with columns that lack a field. */
  readonly lacking: readonly ViewReadiness[];
}

export async function readReadiness(db: Executor): Promise<Readiness> {
  const described = catalogue();
  const probed = described.map(({ view, columns }) => ({ view, columns: columns.map(({ name }) => name) }));
  const [states, missing, withRows] = await atOnce(db, (one) =>
    Promise.all([readFieldStates(one), readEmptySources(one), findViewsWithRows(one, probed)]),
  );
  const views = described.map((view) => {
    const hasRows = withRows.has(view.view);
    return { view: view.view, has_rows: hasRows, lacks: lacksOf(view, hasRows, { states, missing }) };
  });
  return {
    count: views.length,
    with_rows: withRows.size,
    lacking: views.filter(({ has_rows: hasRows, lacks }) => !hasRows || lacks.length > 0),
  };
}

interface Known {
  readonly states: ReadonlyMap<string, FieldState>;
  /** Sources without rows. */
  readonly missing: ReadonlyMap<string, WhyLacking>;
}

function lacksOf({ view, columns }: CatalogueView, hasRows: boolean, { states, missing }: Known): Lack[] {
  const worth = (source: string, field: string): Worth | undefined => {
    if (missing.has(source)) return 'no_data';
    const state = states.get(`${source}.${field}`) ?? 'nothing';
    return state === 'none' ? undefined : state === 'absent' ? 'nothing' : state;
  };
  const isMissing = ({ source }: FieldOrigin) => missing.has(source);
  // An empty view may wait for any of its sources, and for a field of any route.
  const lacked = (origin: Origin) =>
    hasRows
      ? lacking(origin, worth)
      : [...lackingInRoutes(origin, worth), ...fieldsOf(origin).filter(isMissing)];
  const reasonOf = ({ source, field }: FieldOrigin): Pick<Lack, 'field' | 'why'> => {
    const [own, list] = [`${source}.${field}`, `${source}.${rowsField}`];
    // A list that is not found is a matter of the mapping.
    if (missing.has(source) && states.get(list) === 'nothing') return { field: list, why: 'not_found' };
    return {
      field: own,
      why: missing.get(source) ?? (states.get(own) === 'absent' ? 'absent' : 'not_found'),
    };
  };
  // Columns that all views have are reported once, with bi.clients.
  const told = view === 'bi.clients' ? columns : ownOf(columns);
  return told.flatMap(({ name: column, origin }) => {
    const shows = worthOf(origin, worth) === 'partly' ? 'partly' : 'nothing';
    const lacks = lacked(origin).map((one): Lack => {
      return { column, shows, stream: streamOf(one), ...reasonOf(one) };
    });
    return [...new Map(lacks.map((one) => [one.field, one])).values()];
  });
}

const ownOf = (columns: CatalogueView['columns']) => columns.filter(({ name }) => !(name in commonColumns));

const streamOf = ({ source }: FieldOrigin) =>
  logicalSources.find(({ name }) => name === source)?.stream ?? '';

/** Returns the columns of views that are made from streams, without those of every view. */
export function columnsFromStreams(views: readonly string[]) {
  const own = catalogue().flatMap(({ view, columns }) => (views.includes(view) ? ownOf(columns) : []));
  return own
    .map(({ name, origin }) => ({ column: name, streams: [...new Set(fieldsOf(origin).map(streamOf))] }))
    .filter(({ streams }) => streams.length > 0);
}

/** Returns the names of views of bi that are made from any of these streams. */
export function viewsFromStreams(streams: readonly string[]): readonly string[] {
  const isMade = (columns: CatalogueView['columns']) =>
    ownOf(columns).some(({ origin }) => fieldsOf(origin).some((field) => streams.includes(streamOf(field))));
  return catalogue().flatMap((one) => (one.schema === 'bi' && isMade(one.columns) ? [one.name] : []));
}

/** Reads why sources have no rows, by name. Leaves out those of a newer release, whose tables the next sync makes. */
async function readEmptySources(db: Executor): Promise<ReadonlyMap<string, WhyLacking>> {
  const tables = await db
    .selectFrom('sync.typed_table')
    .select('source')
    .where('is_next', '=', false)
    .execute();
  const sources = logicalSources.filter(({ name }) => tables.some(({ source }) => source === name));
  if (sources.length === 0) return new Map();
  const probes = sources.map(({ name }) => {
    const rows = sql.raw(`bi_map.${escapeIdentifier(`${name}_version`)}`);
    return sql`select ${name}::text as source where not exists (select from ${rows})`;
  });
  const { rows } = await sql<{ source: string }>`${sql.join(probes, sql` union all `)}`.execute(db);
  const empty = sources.filter(({ name }) => rows.some(({ source }) => source === name));
  const reasons = await readReasons(db, [...new Set(empty.map(({ stream }) => stream))]);
  return new Map(empty.map(({ name, stream }) => [name, reasons.get(stream) ?? 'never_synced']));
}

/** Finds the reason by the newest run date of the stream; a stream that was never planned is left out. */
async function readReasons(
  db: Executor,
  streams: readonly string[],
): Promise<ReadonlyMap<string, WhyLacking>> {
  const { rows } = await sql<{ stream: string; why: WhyLacking }>`
    select w.stream, case
        when exists (select from sync.newest as n where n.stream = w.stream) then 'no_records'
        when 'failed' = any (d.statuses) then 'failed'
        when d.statuses <@ array['unavailable'] then 'unavailable'
        else 'waiting'
      end as why
    from unnest(${[...streams]}::text[]) as w (stream)
    cross join lateral (
      select array_agg(s.status) as statuses from sync.slice as s where s.stream = w.stream
        and s.run_date = (select max(run_date) from sync.slice as s where s.stream = w.stream)
    ) as d
    where d.statuses is not null`.execute(db);
  return new Map(rows.map(({ stream, why }) => [stream, why]));
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
