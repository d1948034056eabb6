// Which versions a publish began, ended, reopened or took back: the rows derived from them are written again.

import { type RawBuilder, sql } from 'kysely';
import { escapeLiteral } from 'pg';
import type { Executor } from '../../db/database.ts';

/** Makes the connection's table, empty; `on commit delete rows` empties it for the next publish. */
export async function createTouched(tx: Executor): Promise<void> {
  await sql`
    create temporary table if not exists touched (
      stream text not null,
      record_key text not null,
      run_date date not null
    ) on commit delete rows`.execute(tx);
}

/** A statement that changes versions (alias `r`, no `returning`) and notes which ones. Returns their number as its row count. */
export function noting(stream: string, change: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with touched as (${change} returning r.record_key, r.run_date)
    insert into pg_temp.touched (stream, record_key, run_date)
    select ${stream}, record_key, run_date from touched`;
}

/** Names of the columns that identify a version, in a table of versions or of rows derived from them. */
export interface VersionColumns {
  readonly scope: string;
  readonly key: string;
  readonly from: string;
  readonly until: string;
}

/** @param scope the condition on the scope, of an alias */
export function typedColumns(alias: string, scope: (alias: string) => string): VersionColumns {
  return {
    scope: scope(alias),
    key: `${alias}.record_key`,
    from: `${alias}.from_date`,
    until: `${alias}.until`,
  };
}

/** Which rows of a table a publish writes anew, as conditions. */
export interface Touched {
  /** What goes. */
  readonly stale: (columns: VersionColumns) => string;
  /** The versions whose rows come. */
  readonly fresh: (columns: VersionColumns) => string;
  readonly records: (columns: VersionColumns) => string;
}

/** Everything that the newest state is made from, and what the date ended: what all its records share is another now. */
export function touchedAll(date: string): Touched {
  const current = (columns: VersionColumns) =>
    `${columns.scope} and ${columns.until} in ('infinity', ${date})`;
  return {
    stale: current,
    fresh: current,
    records: (columns) => `${columns.scope} and ${date} is not null`,
  };
}

/**
 * Every condition names the scope and the date, so that all statements have the same parameters.
 * @param stream of the versions: the slice's own, or `envelope`
 * @param date SQL for the run date
 */
export function touchedBy(stream: string, date: string, isFirst: boolean): Touched {
  if (isFirst) {
    const all = (columns: VersionColumns) => `${columns.scope} and ${date} is not null`;
    return {
      stale: all,
      fresh: (columns) => `${columns.scope} and ${columns.until} = 'infinity' and ${columns.from} = ${date}`,
      records: all,
    };
  }
  const touched = `from pg_temp.touched as t where t.stream = ${escapeLiteral(stream)}`;
  // Versions that the date ended, and current ones: no others change, and the index finds them.
  const these = (columns: VersionColumns) =>
    `${columns.scope} and ${columns.until} in ('infinity', ${date})
  and (${columns.key}, ${columns.from}) in (select t.record_key, t.run_date ${touched})`;
  return {
    stale: these,
    fresh: these,
    records: (columns) =>
      `${columns.scope} and ${columns.key} in (select t.record_key ${touched} and t.run_date <= ${date})`,
  };
}
