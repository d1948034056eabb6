// Runs one refresh of the views at a time in a warehouse, shared by all batches that wait for it, in any process.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Executor } from '../../db/database.ts';
import { tryLock } from '../../db/session-lock.ts';

/**
 * Refreshes when its turn comes. If another refresh began after this call and succeeded, uses its result: it has seen
 * everything committed before.
 * @param wait called between two looks at whose turn it is; if it throws, the wait ends
 */
export async function refreshInTurn<Result>(
  pool: pg.Pool,
  db: Executor,
  refresh: () => Promise<Result>,
  wait: () => Promise<void>,
): Promise<Result> {
  const askedAt = await serverTime(db);
  for (;;) {
    const turn = await tryLock(pool, { kind: 'refresh', id: 0 });
    try {
      const [done] = (
        await sql<{ result: Result }>`
          select result from sync.view_refresh where started_at > ${askedAt}::timestamptz`.execute(db)
      ).rows;
      if (done !== undefined) return done.result;
      if (turn !== undefined) return await refreshNow(db, refresh);
    } finally {
      await turn?.release();
    }
    await wait();
  }
}

async function refreshNow<Result>(db: Executor, refresh: () => Promise<Result>): Promise<Result> {
  const beganAt = await serverTime(db);
  const result = await refresh();
  await sql`
    insert into sync.view_refresh (started_at, result) values (${beganAt}::timestamptz, ${JSON.stringify(result)}::jsonb)
    on conflict (is_only) do update set started_at = excluded.started_at, result = excluded.result`.execute(
    db,
  );
  return result;
}

/** Returns text with microseconds, which a Date does not have. */
async function serverTime(db: Executor): Promise<string> {
  const { rows } = await sql<{ time: string }>`select clock_timestamp()::text as time`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the server told no time');
  return row.time;
}
