// Deletes a client's own scopes and the records of the account that say they are the client's, each scope in a
// transaction under the lock that its publishes take.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { sourcesOf } from '../mapping/logical/logical-sources.ts';
import { derivedFrom } from '../publish/tables/derived.ts';
import { tableName } from '../publish/tables/typed-sql.ts';
import { readTables, scopeLocks } from '../publish/tables/typed-tables.ts';
import { catalog } from '../streams/catalog.ts';
import { Counting, type ForgottenClient } from './block-client.ts';

async function ownStreams(db: Executor, { account, clientId }: ForgottenClient): Promise<readonly string[]> {
  const { rows } = await sql<{ stream: string }>`
    select stream from sync.slice where account = ${account} and client_id = ${clientId}
    union select stream from sync.newest where account = ${account} and client_id = ${clientId}
    union select stream from snapshot.record where account = ${account} and client_id = ${clientId} and stream <> 'envelope'
    order by stream`.execute(db);
  return rows.map((row) => row.stream);
}

export async function forgetOwnScopes(db: Executor, client: ForgottenClient): Promise<void> {
  const { account, clientId } = client;
  for (const stream of await ownStreams(db, client)) {
    await db.transaction().execute(async (tx) => {
      await sql`select ${scopeLocks({ stream, account, clientId })}`.execute(tx);
      const counting = new Counting(tx);
      const of = sql`account = ${account} and client_id = ${clientId}`;
      const typed = sql`account = ${account} and slice_client_id = ${clientId}`;
      await counting.run(`snapshot.${stream}`, sql`delete from ${sql.id('snapshot', stream)} where ${of}`);
      await counting.run(
        'snapshot.envelope',
        sql`delete from snapshot.envelope where ${of} and record_key = ${stream}`,
      );
      for (const table of await readTables(tx, sourcesOf(stream))) {
        const name = tableName(table);
        await counting.run(plain(name), sql`delete from ${sql.raw(name)} where ${typed}`);
        for (const one of derivedFrom(table.source.name)) {
          const rows = sql`delete from ${sql.raw(one.table)} as d where ${typed} and ${sql.raw(one.all)}`;
          await counting.run(one.table, rows);
        }
      }
      await counting.run('sync.newest', sql`delete from sync.newest where ${of} and stream = ${stream}`);
      await counting.run(
        'sync.page',
        sql`delete from sync.page where account = ${account} and slice_id in (select id from sync.slice where ${of} and stream = ${stream})`,
      );
      await counting.run('sync.slice', sql`delete from sync.slice where ${of} and stream = ${stream}`);
      await counting.store(client);
    });
  }
}

const plain = (name: string) => name.replaceAll('"', '');

/** Lists streams of the account whose records can name their client. */
async function accountStreams(db: Executor, account: string): Promise<readonly string[]> {
  const { rows } = await sql<{ stream: string }>`
    select stream from sync.newest where account = ${account} and client_id = '' order by stream`.execute(db);
  return rows.map((row) => row.stream);
}

export async function forgetAccountRecords(db: Executor, client: ForgottenClient): Promise<void> {
  const { account, clientId } = client;
  for (const stream of await accountStreams(db, account)) {
    await db.transaction().execute(async (tx) => {
      await sql`select ${scopeLocks({ stream, account, clientId: '' })}`.execute(tx);
      const counting = new Counting(tx);
      const tables = await readTables(tx, sourcesOf(stream));
      await sql`create temporary table if not exists forgotten_version (record_key text not null, run_date date not null) on commit delete rows`.execute(
        tx,
      );
      for (const { source, isShadow } of tables) {
        // An envelope's content stays the account's, even if it names the client: only the rows read from it go.
        if (isShadow || source.rows !== undefined || source.envelope) continue;
        const whose = stream === 'clientes' ? sql`coalesce(x.id, x.record_key)` : sql`x.client_id`;
        await sql`
          insert into pg_temp.forgotten_version (record_key, run_date)
          select x.record_key, x.from_date from ${sql.raw(tableName({ source, isShadow }))} as x
          where x.account = ${account} and x.slice_client_id = '' and ${whose} = ${clientId}`.execute(tx);
      }
      if (stream === 'clientes') {
        await sql`
          insert into pg_temp.forgotten_version (record_key, run_date)
          select record_key, run_date from snapshot.clientes
          where account = ${account} and client_id = '' and record_key = ${clientId}`.execute(tx);
      }
      await counting.run(
        `snapshot.${stream}`,
        sql`delete from ${sql.id('snapshot', stream)} as r where r.account = ${account} and r.client_id = ''
          and (r.record_key, r.run_date) in (select record_key, run_date from pg_temp.forgotten_version)`,
      );
      await forgetDetails(tx, counting, client, stream);
      for (const table of tables) {
        const name = tableName(table);
        await counting.run(
          plain(name),
          sql`delete from ${sql.raw(name)} as x where x.account = ${account} and x.slice_client_id = '' and (
            x.client_id = ${clientId} or ${!table.source.envelope}
              and (x.record_key, x.from_date) in (select record_key, run_date from pg_temp.forgotten_version)
          )`,
        );
        for (const one of derivedFrom(table.source.name)) {
          await counting.run(
            one.table,
            sql`delete from ${sql.raw(one.table)} as d where d.account = ${account} and d.slice_client_id = ''
              and d.client_id = ${clientId} and ${sql.raw(one.all)}`,
          );
        }
      }
      await counting.store(client);
    });
  }
}

/** Deletes the details of forgotten records: they belong to the client of the record. */
async function forgetDetails(
  tx: Executor,
  counting: Counting,
  { account }: ForgottenClient,
  of: string,
): Promise<void> {
  const details = catalog.filter(({ source }) => source.kind === 'details' && source.of === of);
  for (const { name: stream } of details) {
    await sql`select ${scopeLocks({ stream, account, clientId: '' })}`.execute(tx);
    await counting.run(
      `snapshot.${stream}`,
      sql`delete from ${sql.id('snapshot', stream)} where account = ${account} and client_id = ''
        and record_key in (select record_key from pg_temp.forgotten_version)`,
    );
  }
}
