// The curated views: grain, rows, freshness.

import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { catalogue } from '../../db/code/catalogue.ts';
import type { Executor } from '../../db/database.ts';
import { codeOf } from '../../db/sqlstate.ts';

export interface ViewLine {
  readonly view: string;
  readonly grain: string;
  readonly question: string;
  readonly rows: number | null;
  /** Newest date in it: of run dates, else of the days it is about; null: it has none. */
  readonly newest: string | null;
}

/** @param timeoutMs for counting the rows of one view */
export async function listViews(
  db: Executor,
  schemas: readonly string[],
  timeoutMs: number,
): Promise<ViewLine[]> {
  const { rows } = await sql<{ schema: string; name: string; comment: string | null; date: string | null }>`
    select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attname = 'run_date') as date
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${[...schemas]}::text[]) and c.relkind = 'v'
    order by n.nspname, c.relname`.execute(db);
  const described = new Map(catalogue().map((view) => [view.view, view]));
  const lines: ViewLine[] = [];
  for (const { schema, name, comment, date } of rows) {
    const of = described.get(`${schema}.${name}`);
    const newest = of === undefined ? date : of.newest;
    lines.push({
      view: `${schema}.${name}`,
      grain: of === undefined ? (comment ?? '') : `one row ${of.row}.`,
      question: of?.question ?? '',
      ...(await countRows(db, `${schema}.${escapeIdentifier(name)}`, newest ?? undefined, timeoutMs)),
    });
  }
  return lines;
}

async function countRows(
  db: Executor,
  view: string,
  date: string | undefined,
  timeoutMs: number,
): Promise<Pick<ViewLine, 'rows' | 'newest'>> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx);
      const newest = date === undefined ? 'null::date' : `max(${escapeIdentifier(date)})`;
      const result = await sql<{ rows: number; newest: string | null }>`
        select count(*) as rows, ${sql.raw(newest)} as newest from ${sql.raw(view)}`.execute(tx);
      return result.rows[0] ?? { rows: null, newest: null };
    });
  } catch (error) {
    if (isTimeout(error)) return { rows: null, newest: null };
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}
