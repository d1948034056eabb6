// Which streams are pruned, and which run dates of a scope stay.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';

/** Of each stream the typed rows whose `date` a curated view shows, of versions that ended too. */
const tables: Readonly<Record<string, string>> = {
  visibility: 'rank_point',
  airank: 'rank_point',
  rank2: 'rank2',
  competitors: 'competitor_alerts',
};

export const factStreams: readonly string[] = Object.keys(tables);

/**
 * Run dates that have to stay as well: they brought facts of dates that stay, and no version in `pg_temp.thinned` that
 * stays says the same.
 */
export async function factDates(tx: Executor, scope: Scope, stays: readonly string[]): Promise<string[]> {
  const table = tables[scope.stream];
  if (table === undefined) return [];
  const ofStream = table === 'rank_point' ? sql`and x.source = ${scope.stream}` : sql``;
  const { rows } = await sql<{ run_date: string }>`
    select distinct min(f.from_date) as run_date
    from (
      select to_jsonb(x) - array['until', 'from_date', 'record_key', 'row_no'] as fact, x.from_date, coalesce(t.is_removed, false) as is_removed
      from ${sql.id('typed', table)} as x
      left join pg_temp.thinned as t on t.stream = ${scope.stream} and t.record_key = x.record_key and t.run_date = x.from_date
      where x.account = ${scope.account} and x.slice_client_id = ${scope.clientId} and x.date = any(${[...stays]}::date[]) ${ofStream}
    ) as f
    group by f.fact
    having bool_and(f.is_removed)`.execute(tx);
  return rows.map((row) => row.run_date);
}

export type WhyLeftAlone = 'archive' | 'history';

export const leftAloneReasons: Readonly<Record<WhyLeftAlone, string>> = {
  archive: 'an archive only grows, so its records are current',
  history: 'its versions are the history that views show',
};

/** Their versions are the history that curated views show: when a client joined, how an action moved, what was decided. */
const histories: readonly string[] = ['clientes', 'actions', 'acciones', 'agent_os', 'prompt_research'];

/** An archive only grows: its records are current, and thinning gives nothing back. Undefined: it is pruned. */
export function whyLeftAlone({ name, shape }: Pick<Stream, 'name' | 'shape'>): WhyLeftAlone | undefined {
  if (histories.includes(name)) return 'history';
  return shape === 'archive' ? 'archive' : undefined;
}

interface PrunedStreams {
  readonly pruned: readonly string[];
  readonly leftAlone: readonly { readonly stream: string; readonly why: WhyLeftAlone }[];
}

/** Of all streams that are known, also those that are switched off. @param configured those that were added included */
export function prunedStreams(configured: readonly Stream[]): PrunedStreams {
  const streams = [...new Map([...catalog, ...configured].map((stream) => [stream.name, stream])).values()];
  const leftAlone = streams.flatMap((stream) => {
    const why = whyLeftAlone(stream);
    return why === undefined ? [] : [{ stream: stream.name, why }];
  });
  const pruned = streams.filter((stream) => whyLeftAlone(stream) === undefined).map(({ name }) => name);
  return { pruned, leftAlone };
}

export type Keep = 'monthly' | 'weekly';

export interface PruneRule {
  readonly before: string;
  /** Of each week or month before it the last complete date stays too; undefined: none. */
  readonly keep: Keep | undefined;
}

/** The newest state, and the one that it is compared with: views of now, and of a client that left, need both. */
const newestDates = 2;

/** @param complete the scope's complete dates, the oldest first */
export function datesThatStay(complete: readonly string[], { before, keep }: PruneRule): readonly string[] {
  const newest = complete.slice(-newestDates);
  return complete.filter((date, place) => {
    if (date >= before || newest.includes(date)) return true;
    const next = complete[place + 1];
    return keep !== undefined && next !== undefined && periodOf(date, keep) !== periodOf(next, keep);
  });
}

/** The first day of the week, a Monday, or the month. */
function periodOf(date: string, keep: Keep): string {
  if (keep === 'monthly') return date.slice(0, 7);
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}
