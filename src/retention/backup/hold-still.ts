// A warehouse of which nothing is written until the transaction ends.

import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { moment } from '../../core/moment.ts';
import type { SavedTable } from './backup-parts.ts';
import { openSnapshot } from './open-snapshot.ts';

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
export async function holdStill(client: pg.ClientBase): Promise<SavedTable[]> {
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
