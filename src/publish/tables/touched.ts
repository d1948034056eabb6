// Notes the versions a publish began, ended, reopened or took back: rows derived from them are written again.

import { type RawBuilder, sql } from 'kysely';
import { escapeLiteral } from 'pg';
import { ahead, type Executor } from '../../db/database.ts';

/** Makes the connection's tables, empty; `on commit delete rows` empties them for the next publish. */
export async function createTouched(tx: Executor): Promise<void> {
  await sql`
    create temporary table if not exists touched (
      stream text not null,
      record_key text not null,
      run_date date not null
    ) on commit delete rows ${ahead}`.execute(tx);
  await sql`
    create temporary table if not exists touched_answers (
      client_id text not null,
      date date,
      measurement_id text
    ) on commit delete rows ${ahead}`.execute(tx);
}

/** Notes which versions (alias `r`, no `returning`) a statement changes. Its row count is their number. */
export function noting(stream: string, change: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with touched as (${change} returning r.record_key, r.run_date)
    insert into pg_temp.touched (stream, record_key, run_date)
    select ${stream}, record_key, run_date from touched`;
}

/** Columns that identify a version, by the alias of a table of versions or of rows derived from them. */
export type VersionColumns = (alias: string) => {
  readonly scope: string;
  readonly key: string;
  readonly from: string;
  readonly until: string;
};

/** A from-item, without its alias, and the condition that is left. */
export interface Chosen {
  readonly from: string;
  readonly where: string;
}

/** Rows that a publish writes anew. */
export interface Choice {
  /** The statement that deletes them; `also` is a condition on the alias d. */
  readonly remove: (table: string, columns: VersionColumns, also?: string) => string;
  /** Chooses them from a from-item, under an alias. */
  readonly read: (rows: string, alias: string, columns: VersionColumns) => Chosen;
}

export interface Touched {
  readonly versions: Choice;
  /** All versions of the records that were. */
  readonly records: Choice;
  /** Groups of a count over many records, which a table finds by SQL for the run date; else all. */
  readonly groups: (found: (date: string) => Choice) => Choice;
}

/** A table that is derived from the typed rows of one source, by one definition, from one scope alone. */
export interface DerivedTable {
  readonly table: string;
  /** The logical source whose typed rows it is read from. */
  readonly source: string;
  readonly columns: readonly string[];
  /** File of sql/derived/ that selects its rows `from typed.SOURCE as x … where true`. */
  readonly file: string;
  /** Rows that go when versions are touched, and the typed rows from which they are read again. */
  readonly choose: (touched: Touched) => Choice;
  /** Its own rows (alias d) that come from the source, of all scopes. */
  readonly all: string;
}

type Condition = (columns: ReturnType<VersionColumns>) => string;

function whole(condition: Condition): Choice {
  return {
    remove: (table, columns, also = 'true') =>
      `delete from ${table} as d where ${condition(columns('d'))} and ${also}`,
    read: (rows, alias, columns) => ({ from: rows, where: condition(columns(alias)) }),
  };
}

/**
 * Looks each key up. Behind fences, because a planner without statistics reads the fields of all current versions first,
 * and then asks which of them were touched.
 * @param keys the select of them, named t
 */
export function eachOf(keys: string, condition: Condition): Choice {
  const found = (select: string, rows: string, alias: string, columns: VersionColumns, also: string) =>
    `select ${select} from (${keys}) as t
cross join lateral (
  select ${select} from ${rows} as ${alias} where ${condition(columns(alias))} and ${also} offset 0
) as ${alias}`;
  return {
    remove: (table, columns, also = 'true') =>
      `delete from ${table} where ctid = any (array(${found('d.ctid', table, 'd', columns, also)}))`,
    read: (rows, alias, columns) => ({
      from: `(${found(`${alias}.*`, rows, alias, columns, 'true')})`,
      where: 'true',
    }),
  };
}

/** Chooses the newest state and what the date ended: something that all its records share has changed. */
export function touchedAll(date: string): Touched {
  const records = whole(({ scope }) => `${scope} and ${date} is not null`);
  return {
    versions: whole(({ scope, until }) => `${scope} and ${until} in ('infinity', ${date})`),
    records,
    groups: () => records,
  };
}

/** All rows of a scope that has none yet. */
export function touchedFirst(date: string): Touched {
  const records = whole(({ scope }) => `${scope} and ${date} is not null`);
  return {
    versions: whole(({ scope, until, from }) => `${scope} and ${until} = 'infinity' and ${from} = ${date}`),
    records,
    groups: () => records,
  };
}

/**
 * Every condition names the scope and the date, so that all statements have the same parameters.
 * @param stream of the versions: the slice's own, or `envelope`
 * @param date SQL for the run date
 */
export function touchedBy(stream: string, date: string): Touched {
  const touched = `from pg_temp.touched as t where t.stream = ${escapeLiteral(stream)}`;
  return {
    // Versions that the date ended, and current ones: no others change. Before Postgres 17 an index is not asked for a list
    // of values, so each end is a row of its own.
    versions: eachOf(
      `select t.record_key, t.run_date, u.until from (select distinct t.record_key, t.run_date ${touched}) as t
cross join (values (date 'infinity'), (${date})) as u (until)`,
      ({ scope, until, key, from }) =>
        `${scope} and ${until} = t.until and ${key} = t.record_key and ${from} = t.run_date`,
    ),
    records: eachOf(
      `select distinct t.record_key ${touched} and t.run_date <= ${date}`,
      ({ scope, key }) => `${scope} and ${key} = t.record_key`,
    ),
    groups: (found) => found(date),
  };
}
