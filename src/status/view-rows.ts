// Whether curated views have rows, however large they are.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { codeOf } from '../db/sqlstate.ts';

/** A view that is not found empty in this time has something to read. Of one client, views answer far sooner. */
const probeMs = 2_000;

/** @param views as `bi.clients`, with their columns */
export async function findViewsWithRows(
  db: Executor,
  views: readonly { readonly view: string; readonly columns: readonly string[] }[],
): Promise<ReadonlySet<string>> {
  const client = await someClient(db);
  const found = new Set<string>();
  // One statement a view, and no transaction over all of them: nobody waits for a lock on a view that was looked at.
  await db.connection().execute(async (session) => {
    await sql`
      select set_config('statement_timeout', ${String(probeMs)}, false), set_config('jit', 'off', false)`.execute(
      session,
    );
    try {
      for (const { view, columns } of views) {
        const name = sql.id(...view.split('.'));
        // Views find the rows of one client through an index; many would sort those of all.
        const hasOne =
          client !== undefined &&
          columns.includes('client_id') &&
          (await exists(session, sql`select from ${name} where client_id = ${client}`));
        if (hasOne || (await exists(session, sql`select from ${name}`))) found.add(view);
      }
    } finally {
      await sql`reset statement_timeout`.execute(session);
      await sql`reset jit`.execute(session);
    }
  });
  return found;
}

async function exists(db: Executor, rows: RawBuilder<unknown>): Promise<boolean> {
  try {
    const result = await sql<{ found: boolean }>`select exists (${rows}) as found`.execute(db);
    return result.rows[0]?.found === true;
  } catch (error) {
    // query_canceled
    if (codeOf(error) === '57014') return true;
    throw error;
  }
}

/** The client of which most streams are published. */
async function someClient(db: Executor): Promise<string | undefined> {
  const { rows } = await sql<{ client_id: string }>`
    select client_id from sync.newest where client_id <> ''
    group by client_id order by count(*) desc, client_id limit 1`.execute(db);
  return rows[0]?.client_id;
}
