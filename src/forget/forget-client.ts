// Forgets a client: the block first, so that nothing comes back, then everything that is stored. Killed half-way, the
// block holds and the same call does the rest.
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { WarehouseError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { tableSchemas } from '../db/schemas.ts';
import { tryLock } from '../db/session-lock.ts';
import { sourcesOf } from '../mapping/logical/logical-sources.ts';
import { refreshClients } from '../publish/tables/client-list.ts';
import { rewriteDerived, rewriteTyped } from '../publish/tables/rewrite-scopes.ts';
import { readTables, scopeLocks } from '../publish/tables/typed-tables.ts';
import {
  blockClient,
  type Counts,
  type ForgottenClient,
  type TextPatterns,
  textPatterns,
} from './block-client.ts';
import { forgetBookkeeping, forgetExamples } from './forget-bookkeeping.ts';
import { forgetAccountRecords, forgetOwnScopes } from './forget-scopes.ts';

/** A table whose rows may name the client: they are counted, and the client is taken out of them. */
interface Table {
  readonly schema: string;
  readonly name: string;
  readonly hasAccount: boolean;
}

/** Lists partitions one by one; what pages hold is deleted with them. */
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

/** SQL: the value with the client taken out; unchanged if the client is not in it. */
const without = (value: RawBuilder<unknown>, { exact, loose, number }: TextPatterns) =>
  sql`sync.without_text(${value}, ${exact}::text, ${loose}::text, ${number}::text)`;

const isNothing = ({ exact, loose }: TextPatterns) => exact === null && loose === null;

/** Counts rows that name the client, by table. */
async function countTexts(db: Executor, account: string, patterns: TextPatterns): Promise<Counts> {
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
async function removeTexts(db: Executor, account: string, patterns: TextPatterns): Promise<void> {
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
    for (const { source, isShadow, mapping } of await readTables(tx, sourcesOf(stream))) {
      if (mapping === undefined) continue;
      const table = { source, isShadow };
      await rewriteTyped(tx, table, mapping, [scope]);
      await rewriteDerived(tx, table, mapping, [scope]);
    }
    await refreshClients(tx, account);
  });
}

export interface ForgetInput extends ForgottenClient {
  readonly names: readonly string[];
  /** True: its id and names are also taken out of the account's records. */
  readonly isText: boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Forgotten {
  readonly clientHash: string;
  readonly forgottenAt: Date;
  readonly finishedAt: Date;
  readonly counts: Counts;
  readonly texts: Counts;
  readonly isIdSearched: boolean;
  readonly searchedNames: number;
}

export async function forgetClient(pool: pg.Pool, db: Executor, input: ForgetInput): Promise<Forgotten> {
  const { account } = input;
  const names = [...input.names, ...(await namesOf(db, input))];
  const patterns = textPatterns(input.clientId, names);
  const clientHash = await blockClient(db, input);
  await forgetExamples(db, input, patterns);
  // Twice at most: the second pass finds what a publish or an alert brought during the first.
  for (let attempt = 1; ; attempt += 1) {
    await forgetOwnScopes(db, input);
    await forgetAccountRecords(db, input);
    await withoutAlerts(pool, input, () => forgetBookkeeping(db, input, patterns));
    await refreshClients(db, account);
    const left = await leftKeys(db, input);
    if (left.length === 0) break;
    if (attempt === 3) {
      throw new WarehouseError(
        `Rows of the client are left in ${left.join(', ')}, because another process is still writing them. ` +
          'The client stays blocked; run this again',
      );
    }
  }
  if (input.isText) await removeTexts(db, account, patterns);
  const texts = await countTexts(db, account, patterns);
  const { rows } = await sql<{ forgottenAt: Date; finishedAt: Date; counts: Counts }>`
    update sync.forgotten set finished_at = now()
    where account = ${account} and client_hash = decode(${clientHash}, 'hex')
    returning forgotten_at as "forgottenAt", finished_at as "finishedAt", counts`.execute(db);
  const [noted] = rows;
  if (noted === undefined) {
    throw new WarehouseError('The client was unblocked while it was being deleted. Run this again');
  }
  return {
    clientHash,
    ...noted,
    texts,
    isIdSearched: patterns.exact !== null,
    searchedNames: new Set(names).size,
  };
}

async function namesOf(db: Executor, { account, clientId }: ForgottenClient): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from typed.clients
    where account = ${account} and coalesce(id, record_key) = ${clientId} and name is not null`.execute(db);
  return rows.map((row) => row.name);
}

const alertTries = 60;
const alertPauseMs = 500;

/** Keeps alerts from being judged meanwhile: what they read before would be stored after. */
async function withoutAlerts(
  pool: pg.Pool,
  { sleep }: ForgetInput,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < alertTries; tries += 1) {
    const lock = await tryLock(pool, { kind: 'alerts', id: 0 });
    if (lock === undefined) {
      await sleep(alertPauseMs);
      continue;
    }
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }
  throw new WarehouseError(
    'Waited 30 s for the alerts, which another process is still checking. The client stays blocked; run this again',
  );
}

/** Lists tables that still hold the client's id in a key. */
async function leftKeys(db: Executor, { account, clientId }: ForgottenClient): Promise<readonly string[]> {
  const { rows } = await sql<{ schema: string; table: string; column: string }>`
    select n.nspname as schema, c.relname as table, a.attname as column
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any (${[...tableSchemas]}::text[]) and c.relkind = 'r' and a.attname in ('client_id', 'slice_client_id')
      and not a.attisdropped and exists (select from pg_attribute where attrelid = c.oid and attname = 'account')
    order by 1, 2`.execute(db);
  const left = new Set<string>();
  for (const { schema, table, column } of rows) {
    const found = await sql<{ is_left: boolean }>`
      select exists (
        select from ${sql.id(schema, table)} where account = ${account} and ${sql.id(column)} = ${clientId}
      ) as is_left`.execute(db);
    if (found.rows[0]?.is_left === true) left.add(`${schema}.${table}`);
  }
  return [...left];
}
