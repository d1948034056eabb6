// What rows alone do not bring along: numbers that were given, the end of what ran, and what the installed code makes.
import type pg from 'pg';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { type BackupHeader, type SavedTable, savedTableName } from './backup-parts.ts';
import { qualifiedName } from './copy-text.ts';

/** In the caller's transaction, at the backup's schema. @param loaded the tables whose rows are in */
export async function settleRows(
  client: pg.ClientBase,
  header: BackupHeader,
  loaded: ReadonlySet<SavedTable>,
): Promise<void> {
  for (const { column, last, ...table } of header.numbers) {
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
      qualifiedName(table),
      column,
      last,
    ]);
  }
  await endWhatRan(client, header);
  await settleTyped(client, loaded);
  // So every function and view is installed anew, over these tables.
  await client.query('delete from sync.code');
  await client.query(`analyze ${[...[...loaded].map(qualifiedName), 'snapshot.record'].join(', ')}`);
}

/** The processes are elsewhere, if they live. A walk goes on at its newest page. */
async function endWhatRan(client: pg.ClientBase, header: BackupHeader): Promise<void> {
  const batch = header.tables.find((table) => savedTableName(table) === 'sync.batch');
  const isOld = !batch?.columns.some(({ name }) => name === 'settled_at');
  await client.query(`
    update sync.slice s set status = 'planned', run_id = null from sync.run r
    where r.status = 'running' and s.account = r.account and s.run_id = r.id and s.status = 'walking';
    update sync.run set status = 'stopped', finished_at = now() where status = 'running';
    update sync.batch set status = 'stopped', finished_at = now() where status = 'running'`);
  if (!isOld) {
    await client.query('update sync.batch set settled_at = now() where is_queued and settled_at is null');
  }
}

/** Tables that are filled anew beside others begin again; those that could not be loaded are noted as not filled. */
async function settleTyped(client: pg.ClientBase, loaded: ReadonlySet<SavedTable>): Promise<void> {
  const filled = [...loaded].filter(({ schema }) => schema === 'typed').map(({ table }) => table);
  await client.query('delete from sync.typed_table where is_next or source <> all ($1)', [filled]);
  const known = logicalSources.map(({ name, stream }) => ({ name, stream }));
  await client.query(
    `insert into sync.typed_table (source, is_next, stream, hash)
    select k ->> 'name', false, k ->> 'stream', '' from jsonb_array_elements($1::jsonb) as k
    where to_regclass(format('typed.%I', k ->> 'name')) is not null
    on conflict do nothing`,
    [JSON.stringify(known)],
  );
}
