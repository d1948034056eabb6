// A warehouse from one database into another: nothing is written at the source meanwhile, both sides are compared, and
// the source is closed last. Whatever fails before leaves the source as it was.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { moment } from '../../core/text.ts';
import { createDatabase } from '../../db/database.ts';
import { closeMoved, refuseMoved } from '../../install/moved.ts';
import { type BackupPart, prepareSession, type SavedTable } from './backup-parts.ts';
import { type Finished, finishRestore, type Loaded, loadWarehouse } from './load-warehouse.ts';
import { openSnapshot, type ReadOptions, readSnapshot, refuseUnreadable } from './read-warehouse.ts';

/** A warehouse of which nothing is written until the transaction ends. */
interface Work {
  readonly what: string;
  readonly since: Date | null;
}

/** A batch that has just begun may not hold its lock yet. */
const working = `
  select format('batch %s of job %s', id, job) as what, started_at as since from sync.batch
  where status = 'running' and (sync.batch_is_alive(id) or started_at > clock_timestamp() - interval '5 seconds')
  union all
  select 'a refresh of the views', null where sync.lock_is_held(sync.refresh_lock_class(), 0)
  union all
  select 'a look at the alerts', null where sync.lock_is_held(sync.alerts_lock_class(), 0)
  union all
  select 'a process that sends', null from pg_locks
  where locktype = 'advisory' and granted and classid::bigint = sync.writes_lock_class()
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Begins the transaction. Whoever wants to write waits for its end; who reads does not.
 * @param client a prepared session of its own
 * @throws WarehouseError while a sync runs, or a process sends
 */
async function holdStill(client: pg.ClientBase): Promise<SavedTable[]> {
  // Before any lock is asked for, so that a sync is not held up by what is refused because of it.
  await refuseWork(client);
  const tables = await openSnapshot(client, 'still');
  await refuseWork(client);
  return tables;
}

async function refuseWork(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Work>(working);
  const [first] = rows;
  if (first === undefined) return;
  const since = first.since === null ? '' : `, since ${moment(first.since)}`;
  throw new WarehouseError(
    `Expected no sync while the warehouse is moved, got ${first.what}${since}. Nothing was changed; wait for its end, or ` +
      'stop it and the scheduler, and run it again',
  );
}

interface MoveOptions extends ReadOptions {
  readonly source: pg.Pool;
  readonly target: pg.Pool;
  readonly to: string;
  readonly streams: readonly string[];
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
