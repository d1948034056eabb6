// The typed rows of thinned versions: rows hold what their version holds, so they go or move with it. What is derived
// from them is read again.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { envelopeFields } from '../../mapping/envelope-sql.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import { rewriteDerived } from '../../publish/tables/rewrite-scopes.ts';
import { type TypedTable, tableName } from '../../publish/tables/typed-sql.ts';
import { type MappedTable, readTables } from '../../publish/tables/typed-tables.ts';
import type { Scope } from '../../store/slices/slices.ts';
import type { Thinned } from './thin-versions.ts';

/** The typed tables of a stream, those that are filled beside the current ones included. */
export async function typedTablesOf(tx: Executor, stream: string): Promise<readonly MappedTable[]> {
  return await readTables(tx, sourcesOf(stream));
}

const same = (table: TypedTable, { stream, account, clientId }: Scope) => sql`
  t.stream = ${table.source.envelope ? 'envelope' : stream} and x.account = ${account} and x.slice_client_id = ${clientId}
  and x.until = t.until and x.from_date = t.run_date and x.record_key = t.record_key`;

const named = (table: TypedTable): RawBuilder<unknown> => sql.raw(tableName(table));

/** What goes of a table by the plan in `pg_temp.thinned`. */
export async function measureTyped(tx: Executor, table: TypedTable, scope: Scope): Promise<Thinned> {
  const { rows } = await sql<Thinned>`
    select count(*) filter (where t.is_removed) as rows, count(*) as touched,
      coalesce(sum(pg_column_size(x.*) + ${indexBytes}) filter (where t.is_removed), 0)::bigint as bytes
    from ${named(table)} as x join pg_temp.thinned as t on ${same(table, scope)}`.execute(tx);
  return rows[0] ?? { rows: 0, bytes: 0, touched: 0 };
}

/** Places of a row in the indexes of its table. */
const indexBytes = 120;

export async function thinTyped(tx: Executor, table: TypedTable, scope: Scope): Promise<void> {
  const of = same(table, scope);
  await sql`delete from ${named(table)} as x using pg_temp.thinned as t where ${of} and t.is_removed`.execute(
    tx,
  );
  await sql`
    update ${named(table)} as x set from_date = t.new_date, until = t.new_until
    from pg_temp.thinned as t where ${of} and not t.is_removed`.execute(tx);
}

/** @param isEnvelopeThinned what stands beside the list may be another on the last date of a version */
export async function deriveAgain(
  tx: Executor,
  { source, isNext, mapping }: MappedTable,
  scope: Scope,
  isEnvelopeThinned: boolean,
): Promise<void> {
  if (isNext || mapping === undefined) return;
  if (!isEnvelopeThinned || envelopeFields(source, mapping).length === 0) {
    const { rows } = await sql<{ is_touched: boolean }>`
      select exists (
        select from pg_temp.thinned where stream = ${source.envelope ? 'envelope' : source.stream}
      ) as is_touched`.execute(tx);
    if (rows[0]?.is_touched !== true) return;
  }
  await rewriteDerived(tx, { source, isNext }, mapping, [scope]);
}
