// A warehouse from one database into another: nothing is written at the source meanwhile, both sides are compared, and
// the source is closed last. Whatever fails before leaves the source as it was.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { createDatabase } from '../../db/database.ts';
import { closeMoved, refuseMoved } from '../../install/moved.ts';
import type { BackupPart } from './backup-parts.ts';
import { prepareSession } from './copy-text.ts';
import { type Finished, finishRestore } from './finish-restore.ts';
import { holdStill } from './hold-still.ts';
import { type Loaded, loadWarehouse } from './load-warehouse.ts';
import { type ReadOptions, readSnapshot, refuseUnreadable } from './read-warehouse.ts';

export interface MoveOptions extends ReadOptions {
  readonly source: pg.Pool;
  readonly target: pg.Pool;
  /** Host, port and database of the target, for those who still come to the source. */
  readonly to: string;
  /** Those that must have a table. */
  readonly streams: readonly string[];
  /** Goes through all parts. */
  readonly watch: (parts: AsyncIterable<BackupPart>) => AsyncIterable<BackupPart>;
}

export async function moveWarehouse(options: MoveOptions): Promise<Loaded & Finished> {
  const { source, target, to, streams, watch } = options;
  const client = await source.connect();
  try {
    await refuseUnreadable(client);
    await refuseSame(client, target);
    await refuseMoved(createDatabase(source));
    await prepareSession(client);
    const tables = await holdStill(client);
    const loaded = await loadWarehouse(target, watch(readSnapshot(client, tables, options)), {
      compare: true,
    });
    const finished = await finishRestore(target, streams);
    await close(client, to);
    return { ...loaded, ...finished };
  } finally {
    client.release(true);
  }
}

async function close(client: pg.ClientBase, to: string): Promise<void> {
  try {
    await closeMoved(client, to);
    await client.query('commit');
  } catch (error) {
    throw new WarehouseError(
      `${to} holds everything, but the source could not be closed: ${messageOf(error)}. It may have been written to since: ` +
        'drop the target and move again',
      {},
      { cause: error },
    );
  }
}

async function refuseSame(client: pg.ClientBase, target: pg.Pool): Promise<void> {
  const which = `select pg_postmaster_start_time()::text || (select oid from pg_database where datname = current_database())
    as database`;
  const here = (await client.query<{ database: string }>(which)).rows[0];
  const there = (await target.query<{ database: string }>(which)).rows[0];
  if (here?.database !== there?.database) return;
  throw new WarehouseError(
    'Expected --to to be another database, got the one that the warehouse is in already',
  );
}
