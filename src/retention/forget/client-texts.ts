// The client's id and names in rows that are not the client's: counted, and taken out of them.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { tableSchemas } from '../../db/schemas.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import { rewriteDerived, rewriteTyped } from '../../publish/tables/rewrite-scopes.ts';
import { readTables, scopeLocks } from '../../publish/tables/typed-tables.ts';
import type { Counts } from './counted.ts';
import type { TextPatterns } from './text-patterns.ts';

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly hasAccount: boolean;
}

/** Partitions one by one; what pages hold is deleted with them. */
async function tablesWithText(db: Executor): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select n.nspname as schema, c.relname as name, exists (
      select from pg_attribute where attrelid = c.oid and attname = 'account' and not attisdropped
    ) as "hasAccount"
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any (${[...tableSchemas]}::text[]) and c.relkind = 'r' and c.relname not in ('forgotten', 'forget_key', 'code')
    order by 1, 2`.execute(db);
  return rows;
}

/** A value without the client; the same where nothing of it is in there. */
const without = (value: RawBuilder<unknown>, { exact, loose, number }: TextPatterns) =>
  sql`sync.without_text(${value}, ${exact}::text, ${loose}::text, ${number}::text)`;

const isNothing = ({ exact, loose }: TextPatterns) => exact === null && loose === null;

/** Rows in which the client is named, by table. */
export async function countTexts(db: Executor, account: string, patterns: TextPatterns): Promise<Counts> {
  if (isNothing(patterns)) return {};
  const counts: Record<string, number> = {};
  for (const { schema, name, hasAccount } of await tablesWithText(db)) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.id(schema, name)} as t cross join lateral (select to_jsonb(t) as value offset 0) as j
      where ${hasAccount ? sql`(t.account = ${account} or t.account is null)` : sql`true`}
        and ${without(sql`j.value - 'account'`, patterns)} <> j.value - 'account'`.execute(db);
    const found = rows[0]?.rows ?? 0;
    if (found > 0) counts[`${schema}.${name}`] = found;
  }
  return counts;
}

/**
 * Takes the client out of the records of the account. A record's hash stays that of what the API sent, so that it is
 * not written again while the API sends the same.
 */
export async function removeTexts(db: Executor, account: string, patterns: TextPatterns): Promise<void> {
  if (isNothing(patterns)) return;
  const { rows } = await sql<{ stream: string; client_id: string }>`
    select stream, client_id from sync.newest where account = ${account} order by stream, client_id`.execute(
    db,
  );
  for (const { stream, client_id: clientId } of rows) {
    await removeFromScope(db, { stream, account, clientId }, patterns);
  }
}

async function removeFromScope(
  db: Executor,
  scope: { readonly stream: string; readonly account: string; readonly clientId: string },
  patterns: TextPatterns,
): Promise<void> {
  const { stream, account, clientId } = scope;
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    await sql`select ${scopeLocks(scope)}`.execute(tx);
    const of = sql`r.account = ${account} and r.client_id = ${clientId}`;
    const change = async (name: string, more: RawBuilder<unknown>) => {
      const changed = await sql`
        update ${sql.id('snapshot', name)} as r set payload = ${without(sql`r.payload`, patterns)}
        where ${of} and ${more} and ${without(sql`r.payload`, patterns)} <> r.payload`.execute(tx);
      return Number(changed.numAffectedRows ?? 0);
    };
    const records = await change(stream, sql`true`);
    const beside = await change('envelope', sql`r.record_key = ${stream}`);
    if (records + beside === 0) return;
    for (const { source, isNext, mapping } of await readTables(tx, sourcesOf(stream))) {
      if (mapping === undefined) continue;
      const table = { source, isNext };
      await rewriteTyped(tx, table, mapping, [scope]);
      await rewriteDerived(tx, table, mapping, [scope]);
    }
  });
}
