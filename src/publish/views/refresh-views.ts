// Updates the views of schema api with the fields seen. Each source has a transaction of its own with `create or
// replace view` only: columns are appended, and what others built on a view stays.

import { sql } from 'kysely';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { messageOf } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { refuseUnmarked, withMark } from '../../db/code/mark.ts';
import { anyOf, type Executor, listOf } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import { type Drift, mergeFields } from '../../store/fields/learn-fields.ts';
import { freeName, pathText, shorten, snakeCase } from '../../store/fields/names.ts';
import {
  type Column,
  changesView,
  childArrays,
  childView,
  columnComment,
  currentView,
  dailyView,
  newColumns,
  type SeenField,
  type ViewSource,
} from './view-sql.ts';

interface RefreshOptions {
  readonly all?: boolean;
  /** Maximum wait for queries that read a view. Default: 5000. */
  readonly lockTimeoutMs?: number;
}

export interface Refreshed {
  readonly drift: readonly Drift[];
  readonly refreshed: readonly string[];
  readonly failed: readonly { readonly source: string; readonly error: string }[];
}

interface StaleSource extends ViewSource {
  readonly fields_changed_at: string;
}

/** @throws only when the warehouse is gone; the failure of a single source is in the result */
export async function refreshViews(db: Executor, options: RefreshOptions = {}): Promise<Refreshed> {
  const { lockTimeoutMs = 5_000 } = options;
  const drift = await mergeFields(db);
  const stale = await staleSources(db, options.all === true);
  const names = stale.map(({ source }) => source);
  if (await succeeds(() => refreshSources(db, stale, lockTimeoutMs)))
    return { drift, refreshed: names, failed: [] };
  // One by one, so that a failure of one leaves the others alone.
  const failed: { source: string; error: string }[] = [];
  for (const source of stale) {
    try {
      await refreshSources(db, [source], lockTimeoutMs);
    } catch (error) {
      const reason = messageOf(error);
      failed.push({ source: source.source, error: reason });
      await sql`
        update sync.source set view_error = ${reason}, view_error_at = now()
        where source = ${source.source}`.execute(db);
    }
  }
  return { drift, refreshed: names.filter((name) => !failed.some(({ source }) => source === name)), failed };
}

const succeeds = (work: () => Promise<void>) =>
  work().then(
    () => true,
    () => false,
  );

/** A source exists from the first field that is seen of it: a stream without data has no views. */
async function staleSources(db: Executor, all: boolean): Promise<StaleSource[]> {
  const result = await sql<StaleSource>`
    select s.source, s.stream, s.envelope, s.fields_changed_at::text,
      exists (select from sync.newest n where n.stream = s.stream and n.client_id <> '') as "isPerClient"
    from sync.source s
    where ${all} or s.viewed_at is distinct from s.fields_changed_at or exists (
      select from sync.view v where v.source = s.source and to_regclass(format('api.%I', v.name)) is null
    )
    order by s.envelope, s.source`.execute(db);
  return result.rows;
}

/** Refreshes sources in one transaction, with as many statements for a hundred as for one. */
async function refreshSources(
  db: Executor,
  sources: readonly StaleSource[],
  lockTimeoutMs: number,
): Promise<void> {
  if (sources.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await sql`
      select set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
        pg_advisory_xact_lock(${lockKeys('once', 'refresh_views')})`.execute(tx);
    const known = await readKnown(
      tx,
      sources.map(({ source }) => source),
    );
    const views = sources.flatMap((source) => viewsOf(source, known));
    await registerColumns(tx, views);
    await replaceViews(tx, await nameViews(tx, views, known));
    const seen = sources.map(({ source, fields_changed_at }) => ({ source, at: fields_changed_at }));
    await sql`
      update sync.source as s set viewed_at = v.at, view_error = null, view_error_at = null
      from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as v (source text, at timestamptz)
      where s.source = v.source`.execute(tx);
  });
}

interface Known {
  readonly fields: readonly (SeenField & { readonly source: string })[];
  /** In the order of each view. */
  readonly columns: readonly (Column & { readonly source: string; readonly array: readonly string[] })[];
  readonly views: readonly (ViewIdentity & { readonly name: string })[];
  readonly taken: readonly string[];
}

async function readKnown(tx: Executor, sources: readonly string[]): Promise<Known> {
  const of = sql`source = ${anyOf(sources)}`;
  const { rows } = await sql<Known>`
    select
      ${listOf(sql`select source, path, array_agg(type order by type) as types from sync.field where ${of} group by 1, 2`)} as fields,
      ${listOf(sql`
        select source, array_path as "array", path, name, type from sync.view_column where ${of}
        order by source, array_path, position`)} as columns,
      ${listOf(sql`select source, kind, array_path as "array", name from sync.view where ${of}`)} as views,
      array(select relname::text from pg_class where relnamespace = 'api'::regnamespace) as taken`.execute(
    tx,
  );
  return rows[0] ?? { fields: [], columns: [], views: [], taken: [] };
}

type ViewKind = 'current' | 'daily' | 'changes' | 'child';

const suffixes = { current: '', daily: '_daily', changes: '_changes' } as const;

interface ViewIdentity {
  readonly source: string;
  readonly kind: ViewKind;
  readonly array: readonly string[];
}

interface WantedView extends ViewIdentity {
  readonly query: string;
  readonly comment: string;
  readonly columns: readonly Column[];
  /** Number of its columns that are already registered, and therefore come first. */
  readonly registered: number;
}

const isOf = (one: Omit<ViewIdentity, 'kind'>, other: Omit<ViewIdentity, 'kind'>) =>
  one.source === other.source && one.array.join('\n') === other.array.join('\n');

function viewsOf(source: StaleSource, known: Known): readonly WantedView[] {
  const fields = known.fields.filter((field) => field.source === source.source);
  const columnsOf = (array: readonly string[]) => {
    const published = known.columns.filter((column) => isOf(column, { source: source.source, array }));
    return {
      columns: [...published, ...newColumns(fields, array, published)],
      registered: published.length,
    };
  };
  const { stream, envelope } = source;
  const whose = envelope ? `What ${stream} answers beside its list` : `Records of ${stream}`;
  const plain = columnsOf([]);
  const of = { source: source.source, array: [] };
  return [
    {
      ...{ ...of, ...plain, kind: 'current', query: currentView(source, plain.columns) },
      comment: `${whose}: the current ones, of the newest published run date of each client.`,
    },
    {
      ...{ ...of, ...plain, kind: 'daily', query: dailyView(source, plain.columns) },
      registered: plain.columns.length,
      comment: `${whose}, one row a record and run date, over complete run dates only; other dates are gaps.`,
    },
    {
      ...{ ...of, columns: [], registered: 0, kind: 'changes', query: changesView(source) },
      comment: `${whose} that were added, changed or vanished on a run date.`,
    },
    ...childArrays(fields).map((array): WantedView => {
      const below = columnsOf(array);
      return {
        ...{ source: source.source, array, ...below, kind: 'child' },
        query: childView(source, array, below.columns),
        comment: `${whose}: one row an element of ${pathText(array)} in the current records.`,
      };
    }),
  ];
}

async function registerColumns(tx: Executor, views: readonly WantedView[]): Promise<void> {
  const added = views.flatMap(({ source, array, columns, registered }) =>
    columns.slice(registered).map(({ path, name, type }, index) => ({
      source,
      array,
      position: registered + index + 1,
      path,
      name,
      type,
    })),
  );
  if (added.length === 0) return;
  await sql`
    insert into sync.view_column (source, array_path, position, path, name, type)
    select c.source, c."array", c.position, c.path, c.name, c.type
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as c (source text, "array" text[], position integer, path text[], name text, type text)`.execute(tx);
}

const fixedComments: Readonly<Record<string, string>> = {
  account: 'Name of the account in the configuration.',
  client_id: "The client's identifier as the API gives it; empty for the account itself.",
  record_key: 'What identifies the record within stream, account and client.',
  run_date: 'The logical day of the data.',
  data_as_of: 'When the run date was published.',
  parent_position: 'Place of the outer element in its array, from 1.',
  position: 'Place of the element in its array, from 1.',
  change: 'added, changed or vanished.',
  previous_run_date: 'The complete run date before; empty on the first one.',
  before: 'The record as it was on the run date before.',
  after: 'The record as it is on this run date.',
};

type NamedView = WantedView & { readonly name: string };

/** Names each view as when it was first made, or else by a free name. */
async function nameViews(
  tx: Executor,
  views: readonly WantedView[],
  { views: known, taken }: Known,
): Promise<readonly NamedView[]> {
  const names = new Set(taken);
  const added: (ViewIdentity & { name: string })[] = [];
  const named = views.map((view): NamedView => {
    const { source, kind, array } = view;
    const first = known.find((one) => one.kind === kind && isOf(one, view));
    if (first !== undefined) return { ...view, name: first.name };
    const identity = JSON.stringify([source, kind, array]);
    const plain =
      kind === 'child'
        ? [source, ...array.filter((step) => step !== '[]').map(snakeCase)].join('__')
        : `${source}${suffixes[kind]}`;
    const name = freeName(shorten(plain, identity), identity, names);
    names.add(name);
    added.push({ name, source, kind, array });
    return { ...view, name };
  });
  if (added.length > 0) {
    await sql`
      insert into sync.view (name, source, kind, array_path)
      select v.name, v.source, v.kind, v."array"
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as v (name text, source text, kind text, "array" text[])`.execute(
      tx,
    );
  }
  return named;
}

const qualified = (name: string) => `api.${escapeIdentifier(name)}`;

async function replaceViews(tx: Executor, views: readonly NamedView[]): Promise<void> {
  const names = views.map(({ name }) => name);
  await refuseUnmarked(
    tx,
    names.map((name) => `api.${name}`),
  );
  const texts = views.map(({ name, query }) => `create or replace view ${qualified(name)} as\n${query}`);
  await sql.raw(texts.join(';\n')).execute(tx);
  const { rows } = await sql<{ view: string; name: string; comment: string | null }>`
    select c.relname as view, a.attname as name, col_description(a.attrelid, a.attnum) as comment
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'api'::regnamespace and c.relname = ${anyOf(names)}`.execute(tx);
  const columnsOf = groupBy(rows, ({ view }) => view);
  const comments = views.flatMap(({ name, array, comment, columns }) => {
    const said = new Map(columns.map((column) => [column.name, columnComment(array, column)]));
    const changed = (columnsOf.get(name) ?? []).flatMap((column) => {
      const text = said.get(column.name) ?? fixedComments[column.name] ?? '';
      return column.comment === text
        ? []
        : [`comment on column ${qualified(name)}.${escapeIdentifier(column.name)} is ${escapeLiteral(text)}`];
    });
    return [`comment on view ${qualified(name)} is ${escapeLiteral(withMark(comment))}`, ...changed];
  });
  await sql.raw(comments.join(';\n')).execute(tx);
}
