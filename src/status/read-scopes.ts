// The state of every stream and client that an account has by its configuration, judged one by one.

import { sql } from 'kysely';
import { dayMs } from '../core/run-date.ts';
import type { Executor, SliceStatus } from '../db/database.ts';
import { readFixedKeys } from '../store/pages/record-keys.ts';
import { readClients } from '../store/scopes/clients.ts';
import type { Stream } from '../streams/stream.ts';
import { type OpenRun, runOn } from './open-runs.ts';

/**
 * State of one stream of one client: the rule by which `airank status` calls a warehouse fine. Pure. A state
 * that is not known is never fine.
 */
export type ScopeState =
  /** Published, and young enough. */
  | 'complete'
  /** The account does not have it, as the rules of validation say. */
  | 'unavailable'
  /** Waits for requests; what is published, if anything is, is young enough. */
  | 'deferred'
  /** A living run has it or comes to it, and what is published is young enough. */
  | 'running'
  | 'never_synced'
  | 'failed'
  /** Planned or begun, and no living run works on it. */
  | 'unfinished'
  /** Older than it may be, whatever is done about it. */
  | 'stale'
  /** Its run date is in the future, so it does not count for today. */
  | 'future';

const fine: ReadonlySet<ScopeState> = new Set(['complete', 'unavailable', 'running']);

export function isFine(state: ScopeState): boolean {
  return fine.has(state);
}

export interface ScopeFacts {
  readonly slice:
    | {
        readonly runDate: string;
        readonly status: SliceStatus;
        /** An attempt of that run date ended by itself; false: it has only waited, or was cut off. */
        readonly isTried: boolean;
        readonly isNewest: boolean;
      }
    | undefined;
  readonly published: string | undefined;
  readonly plannedSince: string | undefined;
  /** A living run of its account works on its stream. */
  readonly isRunning: boolean;
}

interface ScopeRule {
  readonly today: string;
  readonly mayBeDays: number;
}

export function judgeScope(facts: ScopeFacts, { today, mayBeDays }: ScopeRule): ScopeState {
  const { slice, published, plannedSince, isRunning } = facts;
  if (slice === undefined) return isRunning ? 'running' : 'never_synced';
  const { runDate, status, isTried, isNewest } = slice;
  if (runDate > today || (published ?? '') > today) return 'future';
  // On an older run date, only a slice whose attempt ended by itself failed: others were cut off when the
  // next date began.
  if (status === 'failed' && (isTried || isNewest) && !isRunning) return 'failed';
  const isEnd = status === 'complete' || status === 'unavailable';
  const since = isEnd ? runDate : (published ?? plannedSince ?? runDate);
  if (daysBetween(since, today) > mayBeDays) return 'stale';
  if (isEnd) return status;
  if (isRunning) return 'running';
  return status === 'deferred' || status === 'failed' ? 'deferred' : 'unfinished';
}

/** Whole calendar days from one date to another; negative: that one is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}

interface JudgedScope {
  readonly stream: string;
  readonly client_id: string;
  readonly state: ScopeState;
}

export interface AccountScopes {
  readonly states: Readonly<Partial<Record<ScopeState, number>>>;
  readonly open: readonly JudgedScope[];
  readonly of: ReadonlyMap<string, number>;
}

interface ScopesInput {
  readonly account: string;
  readonly streams: readonly Stream[];
  readonly today: string;
  /** Oldest that published data of a stream may be, in days. */
  readonly mayBeDays: (stream: string) => number;
  readonly runs: readonly OpenRun[];
}

export async function readScopes(db: Executor, input: ScopesInput): Promise<AccountScopes> {
  const { account, streams, today, runs } = input;
  const clients = await clientsOf(db, account, streams);
  const of = new Map(streams.map((one) => [one.name, takesClients(one) ? 1 + clients.length : 1]));
  const open = (await readOpen(db, input, clients)).flatMap((row): JudgedScope[] => {
    const state = judgeScope(
      {
        slice:
          row.run_date === null || row.status === null
            ? undefined
            : { runDate: row.run_date, status: row.status, isTried: row.is_tried, isNewest: row.is_newest },
        published: row.published ?? undefined,
        plannedSince: row.planned_since ?? undefined,
        isRunning: isRunning(runs, account, row),
      },
      { today, mayBeDays: input.mayBeDays(row.stream) },
    );
    return state === 'complete' ? [] : [{ stream: row.stream, client_id: row.client_id, state }];
  });
  const all = [...of.values()].reduce((sum, slices) => sum + slices, 0);
  const states: Partial<Record<ScopeState, number>> = { complete: all - open.length };
  for (const { state } of open) states[state] = (states[state] ?? 0) + 1;
  return { states, open, of };
}

/**
 * Tells whether a living run walks the slice, or comes to it. A slice that failed in that run is not on its
 * list any more. A run walks the list of clients whether or not it was asked for it.
 */
function isRunning(runs: readonly OpenRun[], account: string, row: ScopeRow): boolean {
  const { stream, client_id: clientId, status, run_id: id } = row;
  const walks = runs.some((run) => run.is_alive && run.account === account && run.run_id === id);
  if (walks && (status === 'walking' || status === 'failed')) return status === 'walking';
  return runOn(runs, { account, stream, clientId }) !== undefined;
}

interface ScopeRow {
  readonly stream: string;
  readonly client_id: string;
  readonly run_date: string | null;
  readonly status: SliceStatus | null;
  readonly run_id: number | null;
  readonly is_tried: boolean;
  readonly is_newest: boolean;
  readonly published: string | null;
  readonly planned_since: string | null;
}

/** Leaves out what is complete today: with many clients that is nearly everything. */
async function readOpen(
  db: Executor,
  { account, streams, today }: ScopesInput,
  clients: readonly string[],
): Promise<readonly ScopeRow[]> {
  const names = (some: readonly Stream[]) => some.map((stream) => stream.name);
  const result = await sql<ScopeRow>`
    with newest as (select max(run_date) as run_date from sync.slice where account = ${account})
    select e.stream, e.client_id, s.run_date, s.status, s.run_id, coalesce(s.walked_at is not null, false) as is_tried,
      coalesce(s.run_date = newest.run_date, false) as is_newest, n.run_date as published,
      (select min(o.run_date) from sync.slice as o
        where o.account = ${account} and o.stream = e.stream and o.client_id = e.client_id) as planned_since
    from (
      select stream, '' as client_id from unnest(${names(streams)}::text[]) as stream
      union all
      select stream, client_id from unnest(${names(streams.filter(takesClients))}::text[]) as stream
        cross join unnest(${[...clients]}::text[]) as client_id
    ) as e
    cross join newest
    left join lateral (
      select * from sync.slice as l
      where l.account = ${account} and l.stream = e.stream and l.client_id = e.client_id
      order by l.run_date desc limit 1
    ) as s on true
    left join sync.newest as n
      on n.account = ${account} and n.stream = e.stream and n.client_id = e.client_id
    where s.status is distinct from 'complete' or s.run_date <> ${today}::date or n.run_date <> ${today}::date
    order by e.stream, e.client_id`.execute(db);
  return result.rows;
}

/** The list of clients is one for the account. */
function takesClients({ name, perClient }: Stream): boolean {
  return perClient && name !== clientsStream;
}

const clientsStream = 'clientes';

async function clientsOf(
  db: Executor,
  account: string,
  streams: readonly Stream[],
): Promise<readonly string[]> {
  const stream = streams.find(({ name }) => name === clientsStream);
  if (stream === undefined) return [];
  const fixed = (await readFixedKeys(db, account)).get(stream.name)?.recordKey;
  return (await readClients(db, account, fixed, stream)).ids;
}
