// Input of the rules: figures of clients by statements of sql/alerts, until when they are complete, and where
// their fields were found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { packageRoot } from '../../core/files.ts';
import { groupBy } from '../../core/group-by.ts';
import { type Executor, pipelined, prepared } from '../../db/database.ts';
import { rowsField } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { type PlaceBase, parsePlace, type Step } from '../../mapping/logical/place.ts';
import { rowSteps } from '../../mapping/logical/place-sql.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';

/** A stream that nobody asked for in this many days holds nothing up. */
const forgottenAfterDays = 14;

/**
 * Finds the newest date on which all streams of a list are complete, by client: the client's own streams, and the
 * account's where it has none. Leaves out clients that left, and those with a stream that was asked for and never
 * complete.
 * @param lists streams by the name of their list; all are read by one statement
 */
export async function readDataDates(
  db: Executor,
  account: string,
  lists: Readonly<Record<string, readonly string[]>>,
): Promise<(list: string) => ReadonlyMap<string, string>> {
  const { rows } = await sql<{ list: string; client_id: string; date: string }>`${prepared}
    with asked as materialized (
      select key as list, jsonb_array_elements_text(value) as stream from jsonb_each(${JSON.stringify(lists)}::jsonb)
    ), recent as materialized (
      select client_id, stream, max(run_date) filter (where completed_at is not null) as complete_date,
        (array_agg(status order by run_date desc))[1] as status
      from sync.slice
      where account = ${account} and stream = any(array(select stream from asked))
        and run_date > (
          select max(run_date) from sync.slice where account = ${account}
        ) - ${forgottenAfterDays}::integer
      group by client_id, stream
    )
    select a.list, c.client_id, min(r.complete_date) as date
    from bi.clients as c
    join recent as r on r.client_id = c.client_id or r.client_id = '' and not exists (
      select from recent as o where o.client_id = c.client_id and o.stream = r.stream
    )
    join asked as a on a.stream = r.stream
    where c.account = ${account} and c.left_on is null and r.status <> 'unavailable'
    group by a.list, c.client_id
    having bool_and(r.complete_date is not null)`.execute(db);
  const byList = groupBy(rows, (row) => row.list);
  return (list) => new Map(byList.get(list)?.map((row) => [row.client_id, row.date]));
}

/** Accounts of which anything is published. */
export async function readAccounts(db: Executor): Promise<readonly string[]> {
  const rows = await db.selectFrom('sync.newest').select('account').distinct().orderBy('account').execute();
  return rows.map((row) => row.account);
}

/** Place of a field in the data, as found by the rows that views show now. */
interface FieldPlace {
  readonly path: string;
  /** Run date of the first record that had a value there; undefined: nobody knows, or it always did. */
  readonly since: string | undefined;
}

/** By source and field, as `crawl.status`. Leaves out fields not found, and streams never published. */
export async function readFieldPlaces(db: Executor): Promise<ReadonlyMap<string, FieldPlace>> {
  const mapped = db.selectFrom('sync.typed_table').select(['source', 'mapping']).where('is_next', '=', false);
  const found = sql<{ source: string; path: string[]; since: string }>`
    select source, path, min(first_run_date) as since from sync.field
    where type not in ('null', 'empty') group by source, path`;
  const [tables, seen] = await Promise.all([mapped.execute(), found.execute(db)]);
  const since = new Map(seen.rows.map((row) => [JSON.stringify([row.source, row.path]), row.since]));
  return new Map(
    tables.flatMap(({ source, mapping }) =>
      (mapping ?? []).flatMap(({ field, path }): [string, FieldPlace][] =>
        path === null
          ? []
          : [
              [
                `${source}.${field}`,
                { path, since: since.get(seenAt(source, field, path, mapping ?? []) ?? '') },
              ],
            ],
      ),
    ),
  );
}

/**
 * Returns the path in sync.field that holds the values of a place; undefined for entries of a map, which are not
 * listed there.
 */
function seenAt(name: string, field: string, text: string, mapping: readonly Mapped[]): string | undefined {
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) return undefined;
  const { base, steps } = parsePlace(text);
  const rows = mapping.find((one) => one.field === rowsField)?.path ?? undefined;
  const above = base === 'row' && rows !== undefined ? rowSteps(parsePlace(rows).steps) : [];
  // A list proves nothing by being there: it may be empty.
  const all = field === rowsField ? rowSteps(steps) : [...above, ...steps];
  const path = all.flatMap((step) => keyOf(step) ?? []);
  return path.length < all.length ? undefined : JSON.stringify([seenIn(source, base), path]);
}

const seenIn = (source: { readonly stream: string; readonly envelope: boolean }, base: PlaceBase) =>
  source.envelope || base === 'envelope' ? `${source.stream}_envelope` : source.stream;

function keyOf(step: Step): string | undefined {
  if (step.kind === 'name') return step.name;
  return step.kind === 'each' || step.kind === 'index' ? '[]' : undefined;
}

interface FactScope {
  readonly account: string;
  /** '': the account itself. */
  readonly clients: readonly string[];
  /** Events that happen once are looked for from this date on. */
  readonly since: string;
  readonly date: string;
}

const types = { account: 'text', clients: 'text[]', since: 'date', date: 'date' } as const;
type Name = keyof typeof types;

/** `:account`, `:clients`, `:since` and `:date` of the file, numbered as they come. */
function factStatement(name: string, scope: FactScope): { text: string; values: unknown[] } {
  const used: Name[] = [];
  const file = readFileSync(join(packageRoot(), 'sql', 'alerts', `${name}.sql`), 'utf8');
  const text = file
    .replace(/^\s*--.*$/gm, '')
    .replace(/(?<!:):(account|clients|since|date)\b/g, (_, found: Name) => {
      if (!used.includes(found)) used.push(found);
      return `$${used.indexOf(found) + 1}::${types[found]}`;
    });
  return { text, values: used.map((one) => scope[one]) };
}

/** In a transaction that only reads. @param name of a file of sql/alerts */
export async function readFacts(
  pool: pg.Pool,
  name: string,
  scope: FactScope,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const begin = `begin read only; set local jit = off; set local statement_timeout = '120s'; set local work_mem = '32MB'`;
  return await pipelined(pool, async (session) => {
    const [, { rows }] = await Promise.all([
      session.query(begin),
      session.query<Record<string, unknown>>(factStatement(name, scope)),
      session.query('commit'),
    ]);
    return rows;
  });
}
