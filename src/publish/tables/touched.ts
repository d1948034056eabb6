// Notes the versions that a publish began, ended, reopened or took back, so that rows derived from them are written
// again.

import { type RawBuilder, sql } from 'kysely';
import { escapeLiteral } from 'pg';
import { ahead, type Executor } from '../../db/database.ts';

/** Creates the connection's tables, empty; `on commit delete rows` empties them for the next publish. */
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

export function noting(stream: string, change: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with touched as (${change} returning r.record_key, r.run_date)
    insert into pg_temp.touched (stream, record_key, run_date)
    select ${stream}, record_key, run_date from touched`;
}

/** Columns that identify a version, given the alias of a table of versions or of rows derived from them. */
export type VersionColumns = (alias: string) => {
  readonly scope: string;
  readonly key: string;
  readonly from: string;
  readonly until: string;
};

/** A from-item without its alias, and the remaining condition. */
export interface Chosen {
  readonly from: string;
  readonly where: string;
}

interface Choice {
  /** Builds the statement that deletes them; `also` is a condition on the alias d. */
  readonly remove: (table: string, columns: VersionColumns, also?: string) => string;
  /** Builds the choice of rows from a from-item under an alias. */
  readonly read: (rows: string, alias: string, columns: VersionColumns) => Chosen;
}

export interface Touched {
  readonly versions: Choice;
  readonly records: Choice;
  /** Chooses groups of a count over many records, which a table finds with SQL for the run date; otherwise all. */
  readonly groups: (found: (date: string) => Choice) => Choice;
}

/** A table derived from the typed rows of one source, by one definition, one scope at a time. */
export interface DerivedTable {
  readonly table: string;
  readonly source: string;
  readonly columns: readonly string[];
  /** File in sql/derived/ that selects its rows `from typed.SOURCE as x … where true`. */
  readonly file: string;
  /** Chooses the rows to delete when versions are touched, and the typed rows to read them from again. */
  readonly choose: (touched: Touched) => Choice;
  /** Condition for its own rows (alias d) that come from the source, in all scopes. */
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
 * Looks each key up. Uses fences, because a planner without statistics would read the fields of all current versions
 * before asking which of them were touched.
 * @param keys select of the keys, named t
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

/** Chooses the newest state and what the date ended, when something that all records share has changed. */
export function touchedAll(date: string): Touched {
  const records = whole(({ scope }) => `${scope} and ${date} is not null`);
  return {
    versions: whole(({ scope, until }) => `${scope} and ${until} in ('infinity', ${date})`),
    records,
    groups: () => records,
  };
}

/** Chooses all rows, for a scope that has none yet. */
export function touchedFirst(date: string): Touched {
  const records = whole(({ scope }) => `${scope} and ${date} is not null`);
  return {
    versions: whole(({ scope, until, from }) => `${scope} and ${until} = 'infinity' and ${from} = ${date}`),
    records,
    groups: () => records,
  };
}

/**
 * Names the scope and the date in every condition, so that all statements have the same parameters.
 * @param stream stream of the versions: the slice's own, or `envelope`
 * @param date SQL for the run date
 */
export function touchedBy(stream: string, date: string): Touched {
  const touched = `from pg_temp.touched as t where t.stream = ${escapeLiteral(stream)}`;
  return {
    // Versions that the date ended, and current ones: no others change. Before Postgres 17 an index is not searched for
    // a list of values, so each end is a row of its own.
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
