// Installs the views over typed rows, by current record and by run date, if their text is not installed yet. The text
// follows the mapping only for fields beside the list.

import { sql } from 'kysely';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readCodeFiles, textHash } from '../../db/code/code-files.ts';
import { installedHashes, lockCode, noteInstalled } from '../../db/code/install-code.ts';
import { markInstalled, refuseUnmarked } from '../../db/code/mark.ts';
import type { Executor } from '../../db/database.ts';
import { isAboutOneSlice } from '../../db/sqlstate.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';
import { columnTypes, envelopeFields, joinEnvelope } from '../../mapping/version-sql.ts';
import { lockClients, refreshClients, tellsClients } from './client-list.ts';
import { installVersionView, type TypedTable } from './typed-sql.ts';
import { readTables, shareStream } from './typed-tables.ts';

/** Name of the view by version, which the views by current record and by run date read. */
const version = (source: LogicalSource) => `bi_map.${escapeIdentifier(`${source.name}_version`)}`;

/** View of current records: bi_map.<name>. */
export function currentMapView(source: LogicalSource): string {
  const joined = (condition: string) =>
    `join ${version(source)} as x on x.account = n.account and x.slice_client_id = n.client_id and x.until = 'infinity'
where n.stream = ${escapeLiteral(source.stream)} and ${condition}`;
  return `${selected(source, 'n', 'n.client_id')}
from sync.newest as n
${joined(`n.client_id <> ''`)}
union all
${selected(source, 'n', 'x.client_id')}
from sync.newest as n
${joined(`n.client_id = ''`)}`;
}

/**
 * View with one row per record and complete run date: bi_map.<name>_daily. The versions of a client's block of days are
 * read once and remembered for its dates, as in the daily views of schema api. Two more hints correct the planner's
 * estimates, which would make it sort all rows of a query that groups them: b tells it that few blocks are asked for,
 * so most lookups are remembered; the inverted condition, that most versions of a block hold on any of its dates.
 * For the account's slice the planner expects a single date, and reads the versions of each date separately. The
 * repeated condition on slice_client_id leads it to the key: an index that begins with client_id looks as cheap, but is
 * searched once per client. Fields beside the list are those of the run date.
 */
function dailyMapView(source: LogicalSource, mapping: readonly Mapped[]): string {
  const ofStream = `s.stream = ${escapeLiteral(source.stream)} and s.completed_at is not null`;
  const beside = envelopeFields(source, mapping);
  const envelope =
    beside.length === 0
      ? ''
      : `\n${joinEnvelope(source, mapping, {
          account: 's.account',
          clientId: 's.client_id',
          isValid: 'r.run_date <= s.run_date and r.until > s.run_date',
        })}`;
  return `${selected(source, 's', 's.client_id', beside)}
from sync.slice as s${envelope}
cross join lateral (select s.block_from as day offset 0) as b
cross join (select 0 as days offset 0) as k
cross join lateral (
  select * from ${version(source)} as x
  where x.account = s.account and x.slice_client_id = s.client_id
    and x.until > b.day and x.from_date < b.day + sync.block_days()
  offset 0
) as x
where ${ofStream} and s.client_id <> ''
  and (x.from_date > s.run_date + k.days) is not true and (x.until <= s.run_date + k.days) is not true
union all
${selected(source, 's', 'x.client_id', beside)}
from sync.slice as s${envelope}
join ${version(source)} as x on x.account = s.account and x.slice_client_id = s.client_id
  and x.slice_client_id >= s.client_id || '' and x.from_date <= s.run_date and x.until > s.run_date
where ${ofStream} and s.client_id = ''`;
}

/** Slices of clients and of the account have a branch each, so that conditions on client_id reach an index. */
function selected(
  source: LogicalSource,
  from: 'n' | 's',
  client: string,
  beside: readonly string[] = [],
): string {
  const columns = [
    `${from}.account`,
    `${from}.run_date`,
    `${from}.completed_at`,
    'x.record_key',
    'x.row_no',
    'x.from_date',
    `${from}.client_id as slice_client_id`,
    `${from === 's' ? 's.next_date' : 'null::date'} as next_date`,
    `${client} as client_id`,
    ...columnTypes(source).map(
      ([field]) => `${beside.includes(field) ? 'e' : 'x'}.${escapeIdentifier(field)}`,
    ),
  ];
  return `select ${columns.join(', ')}`;
}

let readDaily: Promise<ReadonlySet<string>> | undefined;

/** Returns the names of the views by run date that curated views read. Half of the sources have none, and need none. */
export async function dailyMapViews(): Promise<ReadonlySet<string>> {
  readDaily ??= readCodeFiles().then(
    ({ views }) => new Set(views.flatMap(({ text }) => text.match(/\bbi_map\.\w+_daily\b/g) ?? [])),
  );
  return await readDaily;
}

/**
 * Installs all views with one statement.
 * @param hashes installed state, read before the mapping, so that a change in between is never undone
 */
export async function installMapViews(
  db: Executor,
  sources: readonly { readonly source: LogicalSource; readonly mapping: readonly Mapped[] }[],
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  const daily = await dailyMapViews();
  const views = sources
    .flatMap(({ source, mapping }) => {
      const [current, byDate] = [`bi_map.${source.name}`, `bi_map.${source.name}_daily`];
      return [
        { name: current, text: currentMapView(source) },
        ...(daily.has(byDate) ? [{ name: byDate, text: dailyMapView(source, mapping) }] : []),
      ];
    })
    .map((view) => ({ ...view, hash: textHash(view.text) }))
    .filter(({ name, hash }) => hashes.get(name) !== hash);
  if (views.length === 0) return;
  const names = views.map(({ name }) => name);
  await refuseUnmarked(db, names);
  await sql
    .raw(views.map(({ name, text }) => `create or replace view ${name} as\n${text}`).join(';\n'))
    .execute(db);
  await markInstalled(db, names);
  await noteInstalled(db, views);
}

/**
 * Puts a table and its mapping in place. From here on queries wait. They lock these views before the table, and the
 * outer ones first, so that no query holds one of the locks needed here while it waits itself.
 * @throws lock_not_available if a query holds a view for longer than 5 s
 */
export async function showTable(db: Executor, table: TypedTable, mapping: readonly Mapped[]): Promise<void> {
  const { source } = table;
  if (tellsClients(source)) await lockClients(db);
  const before = await sql<{ value: string }>`select current_setting('lock_timeout') as value`.execute(db);
  await sql`set local lock_timeout = '5s'`.execute(db);
  await installMapViews(db, [{ source, mapping }], await installedHashes(db));
  await refuseUnmarked(db, [versionView(source)]);
  await sql.raw(installVersionView(table, mapping)).execute(db);
  await noteInstalled(db, [{ name: versionView(source), hash: versionHash(source, mapping) }]);
  await sql`select set_config('lock_timeout', ${before.rows[0]?.value ?? '0'}, true)`.execute(db);
  if (tellsClients(source)) await refreshClients(db, null);
}

/** True if a table's views show its mapping; they only name it for fields beside the list. */
export function isShown(
  source: LogicalSource,
  mapping: readonly Mapped[],
  hashes: ReadonlyMap<string, string>,
): boolean {
  return (
    envelopeFields(source, mapping).length === 0 ||
    hashes.get(versionView(source)) === versionHash(source, mapping)
  );
}

/**
 * Shows the mapping that a publish made. Not in its transaction, where waiting for a dashboard's query would fail the
 * slice: a view that cannot be locked is left to the refresh after the batch. One process at a time, as two that read a
 * view while they replace another would deadlock.
 */
export async function showFirstMapping(db: Executor, source: LogicalSource): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await shareStream(tx, source.stream);
      await lockCode(tx);
      const [table] = await readTables(tx, [source]);
      if (table?.mapping === undefined || isShown(source, table.mapping, await installedHashes(tx))) return;
      await showTable(tx, { source, isShadow: false }, table.mapping);
    });
  } catch (error) {
    // The slice is already published, so an error about it cannot come from here.
    if (!isAboutOneSlice(error)) throw error;
  }
}

const versionView = (source: LogicalSource) => `bi_map.${source.name}_version`;

const versionHash = (source: LogicalSource, mapping: readonly Mapped[]) =>
  textHash(installVersionView({ source, isShadow: false }, mapping));
