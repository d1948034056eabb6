// Brings the views of schema api up to date with the fields seen. Each source in a transaction of its own,
// by `create or replace view` only: columns are appended, and what others built on a view stays.

import { sql } from 'kysely';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { messageOf } from '../../core/errors.ts';
import { refuseUnmarked, withMark } from '../../db/code/mark.ts';
import type { Executor } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import { type Drift, mergeLearned } from '../../store/fields/learn-fields.ts';
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

export interface RefreshOptions {
  readonly all?: boolean;
  /** How long to wait for queries that read a view. Default 5000. */
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

/** @throws only when the warehouse is gone; a failure of one source is in the result */
export async function refreshViews(db: Executor, options: RefreshOptions = {}): Promise<Refreshed> {
  const drift = await db.transaction().execute((tx) => mergeLearned(tx));
  const refreshed: string[] = [];
  const failed: { source: string; error: string }[] = [];
  for (const source of await staleSources(db, options.all === true)) {
    try {
      await refreshSource(db, source, options.lockTimeoutMs ?? 5_000);
      refreshed.push(source.source);
    } catch (error) {
      const reason = messageOf(error);
      failed.push({ source: source.source, error: reason });
      await sql`
        update sync.source set view_error = ${reason}, view_error_at = now()
        where source = ${source.source}`.execute(db);
    }
  }
  return { drift, refreshed, failed };
}

/** A source is made with the first field that is seen of it: a stream without data has no views. */
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

async function refreshSource(db: Executor, source: StaleSource, lockTimeoutMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx);
    await sql`select pg_advisory_xact_lock(${lockKeys('once', 'refresh_views')})`.execute(tx);
    const fields = await readFields(tx, source.source);
    const columns = await extendColumns(tx, source.source, [], fields);
    const { stream, envelope } = source;
    const whose = envelope ? `What ${stream} answers beside its list` : `Records of ${stream}`;
    await replaceView(tx, source, 'current', [], currentView(source, columns), [
      `${whose}: the current ones, of the newest published run date of each client.`,
      columns,
    ]);
    await replaceView(tx, source, 'daily', [], dailyView(source, columns), [
      `${whose}, one row a record and run date, over complete run dates only; other dates are gaps.`,
      columns,
    ]);
    await replaceView(tx, source, 'changes', [], changesView(source), [
      `${whose} that were added, changed or vanished on a run date.`,
      [],
    ]);
    for (const array of childArrays(fields)) {
      const below = await extendColumns(tx, source.source, array, fields);
      await replaceView(tx, source, 'child', array, childView(source, array, below), [
        `${whose}: one row an element of ${pathText(array)} in the current records.`,
        below,
      ]);
    }
    await sql`
      update sync.source set viewed_at = ${source.fields_changed_at}::timestamptz, view_error = null, view_error_at = null
      where source = ${source.source}`.execute(tx);
  });
}

async function readFields(tx: Executor, source: string): Promise<SeenField[]> {
  const result = await sql<SeenField>`
    select path, array_agg(type order by type) as types from sync.field where source = ${source} group by path`.execute(
    tx,
  );
  return result.rows;
}

/** All columns of a view in order, the new ones registered. */
async function extendColumns(
  tx: Executor,
  source: string,
  array: readonly string[],
  fields: readonly SeenField[],
): Promise<Column[]> {
  const published = await sql<Column>`
    select path, name, type from sync.view_column
    where source = ${source} and array_path = ${array}::text[] order by position`.execute(tx);
  const added = newColumns(fields, array, published.rows);
  if (added.length > 0) {
    await sql`
      insert into sync.view_column (source, array_path, position, path, name, type)
      select ${source}, ${array}::text[], ${published.rows.length} + place,
        array(select jsonb_array_elements_text(c -> 'path')), c ->> 'name', c ->> 'type'
      from jsonb_array_elements(${JSON.stringify(added)}::jsonb) with ordinality as a (c, place)`.execute(tx);
  }
  return [...published.rows, ...added];
}

type ViewKind = 'current' | 'daily' | 'changes' | 'child';

const suffixes = { current: '', daily: '_daily', changes: '_changes' } as const;

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

async function replaceView(
  tx: Executor,
  source: ViewSource,
  kind: ViewKind,
  array: readonly string[],
  query: string,
  [comment, columns]: readonly [string, readonly Column[]],
): Promise<void> {
  const name = await viewName(tx, source, kind, array);
  const view = `api.${escapeIdentifier(name)}`;
  await refuseUnmarked(tx, [`api.${name}`]);
  await sql.raw(`create or replace view ${view} as\n${query}`).execute(tx);
  const commented = await sql<{ name: string; comment: string | null }>`
    select attname as name, col_description(attrelid, attnum) as comment from pg_attribute
    where attrelid = ${view}::regclass and attnum > 0 and not attisdropped`.execute(tx);
  const texts = new Map(columns.map((column) => [column.name, columnComment(array, column)]));
  const statements = commented.rows.flatMap((column) => {
    const text = texts.get(column.name) ?? fixedComments[column.name] ?? '';
    return column.comment === text
      ? []
      : [`comment on column ${view}.${escapeIdentifier(column.name)} is ${escapeLiteral(text)}`];
  });
  await sql
    .raw([`comment on view ${view} is ${escapeLiteral(withMark(comment))}`, ...statements].join(';\n'))
    .execute(tx);
}

/** The name a view was given when it was made first, or a free one now. */
async function viewName(
  tx: Executor,
  { source }: ViewSource,
  kind: ViewKind,
  array: readonly string[],
): Promise<string> {
  const known = await sql<{ name: string }>`
    select name from sync.view where source = ${source} and kind = ${kind} and array_path = ${array}::text[]`.execute(
    tx,
  );
  const first = known.rows[0];
  if (first !== undefined) return first.name;
  const taken = await sql<{
    name: string;
  }>`select relname as name from pg_class where relnamespace = 'api'::regnamespace`.execute(tx);
  const identity = JSON.stringify([source, kind, array]);
  const plain =
    kind === 'child'
      ? [source, ...array.filter((step) => step !== '[]').map(snakeCase)].join('__')
      : `${source}${suffixes[kind]}`;
  const name = freeName(shorten(plain, identity), identity, new Set(taken.rows.map((row) => row.name)));
  await sql`
    insert into sync.view (name, source, kind, array_path)
    values (${name}, ${source}, ${kind}, ${array}::text[])`.execute(tx);
  return name;
}
