// Reads what the warehouse already has of what the awkward server was asked.
import type pg from 'pg';
import type { Asked } from './awkward-server.ts';
import { routes } from './awkward-world.ts';

const oneByOne = ['ask', 'airank_public', 'agent_run_traces'];

/** Their records really repeat on other pages: that no page moved is proved by asking again, also after a stop. */
const proved = ['citas', 'perception'];

/** Whether the warehouse, as it is now, has the answer to a request of a run date. */
export async function committed(pool: pg.Pool, runDate: string): Promise<(asked: Asked) => boolean> {
  await quiet(pool);
  const complete = await pool.query<{ stream: string; client_id: string }>(
    `select stream, client_id from sync.slice where run_date = $1 and status = 'complete'`,
    [runDate],
  );
  const pages = await pool.query<{ stream: string; client_id: string; asked: string }>(
    `select stream, client_id, case when stream = any($2) then p.record_key else cursor end as asked
     from sync.page p join sync.slice s on s.account = p.account and s.id = p.slice_id where run_date = $1
       -- A list of several pages may have lost a record since: then it is walked twice, also after a stop.
       and (stream = any($2) or not exists (
         select from sync.slice e
         where e.account = s.account and e.stream = s.stream and e.client_id = s.client_id
           and e.run_date < s.run_date and e.pages > 1
       ))`,
    [runDate, oneByOne],
  );
  const slices = new Set(complete.rows.map((slice) => name(slice.stream, slice.client_id)));
  const stored = new Set(pages.rows.map((page) => name(page.stream, page.client_id, page.asked)));
  return (asked) => {
    const stream = streamOf(asked);
    return (
      slices.has(name(stream, asked.clientId)) ||
      (!proved.includes(stream) && stored.has(name(stream, asked.clientId, asked.value || asked.cursor)))
    );
  };
}

/** A killed process is gone at once, its last statement a moment later. */
async function quiet(pool: pg.Pool): Promise<void> {
  for (let busy = 1; busy > 0; ) {
    const { rows } = await pool.query<{ busy: number }>(
      `select count(*)::int as busy from pg_stat_activity
       where datname = current_database() and application_name = 'airank-warehouse'`,
    );
    busy = rows[0]?.busy ?? 0;
  }
}

function name(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function streamOf({ route, value }: Asked): string {
  if (route === 'airank/:id') return 'airank_public';
  if (route === 'ask') return 'ask';
  if (route === 'agent/runs' && value !== '') return 'agent_run_traces';
  return routes.find((one) => one.route === route)?.stream ?? route;
}
