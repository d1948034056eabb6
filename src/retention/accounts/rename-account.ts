// Renames an account in one transaction: every table leads its keys with the account, so that its history stays together.
// The old name is remembered, and no sync goes by it.
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { didYouMean } from '../../config/names.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { tableSchemas } from '../../db/schemas.ts';
import { type SessionLock, tryLock } from '../../db/session-lock.ts';
import { renameQueued } from '../../queue/enqueue.ts';
import { readAliases, renamedText, wholeAccountLock } from '../../store/aliases.ts';
import { holdWrites, writeKinds } from '../../writes/store/write-book.ts';

/**
 * Remembers the names that an account had, so that none of them begins a second history unless somebody says so.
 */
interface Names {
  readonly from: string;
  readonly to: string;
}

/** @throws ConfigError where the account has another name already, or the new one was another account's */
async function refuseNamed(tx: Executor, { from, to }: Names): Promise<void> {
  const aliases = await readAliases(tx);
  const old = aliases.find(({ name }) => name === from);
  if (old !== undefined) {
    throw new ConfigError([
      `Expected <old> to be an account with data. ${renamedText(old)}: write ${old.to}`,
    ]);
  }
  const taken = aliases.find(({ name }) => name === to);
  if (taken !== undefined && taken.to !== from) {
    throw new ConfigError([
      `Expected <new> to be a name that no account had. ${renamedText(taken)}. ` +
        `If another one is to have it: airank rename account --release ${to}. Nothing was changed`,
    ]);
  }
}

/** All names that the account had are names of the new one. */
async function noteRename(tx: Executor, { from, to }: Names): Promise<void> {
  await sql`
    with moved as (
      delete from sync.former_name where renamed_to = ${from} returning name, renamed_at, released_at
    )
    insert into sync.former_name (name, renamed_to, renamed_at, released_at)
    select name, ${to}, renamed_at, released_at from moved where name <> ${to}
    on conflict do nothing`.execute(tx);
  await sql`
    insert into sync.former_name (name, renamed_to) values (${from}, ${to})
    on conflict (name, renamed_to) do update set renamed_at = excluded.renamed_at, released_at = null`.execute(
    tx,
  );
}

/**
 * Another account may have the name from now on; what the renamed one is called now is returned. Clients that it forgot
 * stay blocked under this name too.
 * @throws ConfigError where no account was renamed from it
 */
export async function releaseName(db: Executor, name: string): Promise<string> {
  const aliases = await readAliases(db);
  const found = aliases.find((one) => one.name === name);
  if (found === undefined) {
    const names = aliases.map((one) => one.name);
    const hint = didYouMean(name, names) ?? `Such names: ${names.join(', ') || 'none'}.`;
    throw new ConfigError([
      `Expected <old> to be a name that an account had before it was renamed, got "${name}". ${hint}`,
    ]);
  }
  await sql`
    update sync.former_name set released_at = now() where name = ${name} and released_at is null`.execute(db);
  return found.to;
}

interface RenamedAccount {
  readonly rows: Readonly<Record<string, number>>;
}

interface Table {
  readonly schema: string;
  readonly name: string;
}

/** Requests of the new name count, too: both are of one key. */
const added: Readonly<Record<string, { readonly key: readonly string[]; readonly sums: readonly string[] }>> =
  {
    budget: { key: ['day'], sums: ['used', 'given_back'] },
    budget_minute: { key: ['frees_at'], sums: ['requests'] },
    budget_hour: { key: ['day', 'hour', 'stream', 'purpose'], sums: ['requests'] },
    budget_account: { key: [], sums: [] },
    budget_stranger: { key: [], sums: [] },
  };

/**
 * @throws ConfigError when there is no such account, or the new name has data or was another account's
 * @throws WarehouseError when something writes the account's rows just now
 */
export async function renameAccount(
  pool: pg.Pool,
  db: Executor,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<RenamedAccount> {
  const held: SessionLock[] = [];
  try {
    await holdOthers(pool, [from, to], held);
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '30s', true)`.execute(
        tx,
      );
      for (const account of [from, to].sort()) await sql`select ${wholeAccountLock(account)}`.execute(tx);
      const tables = await tablesOfAccounts(tx);
      await refuseNamed(tx, { from, to });
      await refuseOthers(tx, tables, from, to);
      await sql`set constraints all deferred`.execute(tx);
      const queued = await renameQueued(tx, { from, to });
      if (queued === undefined) throw busy('a worker that has taken a run of it from the queue');
      const rows: Record<string, number> = { ...queued };
      for (const table of tables) {
        const renamed = await renameRows(tx, table, from, to);
        if (renamed > 0) rows[`${table.schema}.${table.name}`] = renamed;
      }
      await renameCauses(tx, from, to);
      await noteRename(tx, { from, to });
      return { rows };
    });
  } finally {
    for (const lock of held) await lock.release();
  }
}

/** Those who write rows of accounts and run none: the alerts, and pushes. */
async function holdOthers(pool: pg.Pool, accounts: readonly string[], held: SessionLock[]): Promise<void> {
  const alerts = await tryLock(pool, { kind: 'alerts', id: 0 });
  if (alerts === undefined) throw busy('a process that looks at the alerts');
  held.push(alerts);
  for (const account of accounts) {
    for (const kind of writeKinds) {
      const lock = await holdWrites(pool, account, kind);
      if (lock === undefined) throw busy(`a process that sends ${kind} of ${account}`);
      held.push(lock);
    }
  }
}

function busy(who: string): WarehouseError {
  return new WarehouseError(
    `Expected nobody to write the account's rows, got ${who}. Nothing was changed; run it again later`,
  );
}

/** Partitions one by one. */
async function tablesOfAccounts(tx: Executor): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select n.nspname as schema, c.relname as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attname = 'account' and not a.attisdropped
    where n.nspname = any (${[...tableSchemas]}::text[]) and c.relkind = 'r'
    order by 1, 2`.execute(tx);
  return rows;
}

async function refuseOthers(tx: Executor, tables: readonly Table[], from: string, to: string): Promise<void> {
  const { rows: runs } = await sql`
    select from sync.run where account in (${from}, ${to}) and status = 'running' and sync.run_is_alive(account, id)`.execute(
    tx,
  );
  if (runs.length > 0) throw busy('a sync that runs');
  const { rows: filled } = await sql`select from sync.typed_table where is_next`.execute(tx);
  if (filled.length > 0) throw busy('tables that are filled anew (airank views shows how far)');
  const old = await hasRows(tx, tables, from);
  if (old.length === 0) {
    throw new ConfigError([
      `Expected <old> to be an account with data, got "${from}". airank status lists them`,
    ]);
  }
  const taken = await hasRows(tx, tables, to);
  if (taken.length > 0) {
    throw new ConfigError([
      `Expected <new> to be a name without data, got "${to}", which has rows in ${taken.join(', ')}. Nothing was changed`,
    ]);
  }
}

/** Tables with rows of an account; what was requested is no data. */
async function hasRows(tx: Executor, tables: readonly Table[], account: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { schema, name } of tables) {
    if (schema === 'sync' && name in added) continue;
    const { rows } =
      await sql`select from ${sql.id(schema, name)} where account = ${account} limit 1`.execute(tx);
    if (rows.length > 0) found.push(`${schema}.${name}`);
  }
  return found;
}

async function renameRows(tx: Executor, { schema, name }: Table, from: string, to: string): Promise<number> {
  const table = sql.id(schema, name);
  const merge = schema === 'sync' ? added[name] : undefined;
  if (merge !== undefined) await addRows(tx, table, merge, from, to);
  const result = await sql`update ${table} set account = ${to} where account = ${from}`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

/** Adds what the new name has to the old one's rows, and takes it away there. */
async function addRows(
  tx: Executor,
  table: RawBuilder<unknown>,
  { key, sums }: { readonly key: readonly string[]; readonly sums: readonly string[] },
  from: string,
  to: string,
): Promise<void> {
  const same = [
    sql`o.account = ${from}`,
    ...key.map((column) => sql`o.${sql.id(column)} = n.${sql.id(column)}`),
  ];
  if (sums.length > 0) {
    const set = sums.map((column) => sql`${sql.id(column)} = o.${sql.id(column)} + n.${sql.id(column)}`);
    await sql`
      update ${table} as o set ${sql.join(set)} from ${table} as n where n.account = ${to} and ${sql.join(same, sql` and `)}`.execute(
      tx,
    );
  }
  await sql`
    delete from ${table} as n using ${table} as o where n.account = ${to} and ${sql.join(same, sql` and `)}`.execute(
    tx,
  );
}

/** Incidents such as key:acme, and their words. */
async function renameCauses(tx: Executor, from: string, to: string): Promise<void> {
  // Names have letters, digits, _ and - only.
  const name = `(?<![a-z0-9_-])${from}(?![a-z0-9_-])`;
  await sql`
    update sync.notice set cause = regexp_replace(cause, ${name}, ${to}, 'g'), message = regexp_replace(message, ${name}, ${to}, 'g'),
      detail = regexp_replace(detail, ${name}, ${to}, 'g')
    where account = ${to}`.execute(tx);
}
