// The tables as the code sees them. Column meanings: comments in sql/migrations.
import { type Generated, Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DoubtRule } from '../../core/errors.ts';

export type SliceStatus = 'planned' | 'walking' | 'complete' | 'failed' | 'deferred' | 'unavailable';
export type RunStatus = 'running' | 'complete' | 'failed' | 'deferred' | 'stopped';
export type WalkKind = 'full' | 'head' | 'details' | 'left';

interface RunTable {
  id: Generated<number>;
  job: string;
  run_date: string;
  status: Generated<RunStatus>;
  plan: unknown;
  summary: unknown;
  started_at: Generated<Date>;
  finished_at: Date | null;
  due_at: Date | null;
}

export interface SliceTable {
  id: Generated<number>;
  stream: string;
  account: string;
  client_id: string;
  run_date: string;
  status: Generated<SliceStatus>;
  walk: Generated<WalkKind>;
  run_id: number | null;
  pages: Generated<number>;
  records: Generated<number>;
  requests: Generated<number>;
  inserted: Generated<number>;
  changed: Generated<number>;
  vanished: Generated<number>;
  unchanged: Generated<number>;
  key_conflicts: Generated<number>;
  replaced_values: Generated<number>;
  envelope_conflicts: Generated<number>;
  walked_at: Date | null;
  pages_saved: Generated<number>;
  full_run_date: string | null;
  depth: number | null;
  late: Generated<number>;
  error: string | null;
  doubt: DoubtRule | null;
  doubted_walks: Generated<number>;
  lacking: string[] | null;
  doubt_found: Generated<number>;
  started_at: Date | null;
  completed_at: Date | null;
  updated_at: Generated<Date>;
}

interface PageTable {
  account: string;
  slice_id: number;
  page_no: number;
  cursor: string;
  next_cursor: string | null;
  record_key: string | null;
  records: number;
  requests: number;
  replaced_values: Generated<number>;
  has_new_types: Generated<boolean>;
  is_reread: Generated<boolean>;
  list: string;
  rest: string | null;
  fetched_at: Generated<Date>;
}

interface RefusedDetailTable {
  account: string;
  stream: string;
  client_id: string;
  value: string;
  first_run_date: string;
  last_run_date: string;
  run_dates: number;
  error: string;
}

interface StreamTable {
  account: string;
  stream: string;
  record_key: string[][] | null;
  list_key: string | null;
  updated_at: Generated<Date>;
}

interface RecordTable {
  stream: string;
  account: string;
  client_id: string;
  record_key: string;
  run_date: string;
  until: string;
  hash: Buffer;
  payload: unknown;
}

interface BudgetTable {
  account: string;
  day: string;
  used: number;
  given_back: Generated<number>;
}

interface BudgetAccountTable {
  account: string;
  blocked_until: Date | null;
  day_closed_until: Date | null;
  day_refused_at: Date | null;
  renews: unknown;
  renews_learned_at: Date | null;
}

interface BudgetHourTable {
  account: string;
  day: string;
  hour: Date;
  stream: string;
  purpose: string;
  requests: number;
}

interface NoticeTable {
  cause: string;
  kind: string;
  account: string | null;
  message: string;
  detail: string | null;
  since: Date;
  over_at: Date | null;
  told_at: Date | null;
  told_over_at: Date | null;
}

export interface Database {
  'sync.run': RunTable;
  'sync.slice': SliceTable;
  'sync.page': PageTable;
  'sync.stream': StreamTable;
  'sync.refused_detail': RefusedDetailTable;
  'sync.notice': NoticeTable;
  'sync.budget': BudgetTable;
  'sync.budget_account': BudgetAccountTable;
  'sync.budget_hour': BudgetHourTable;
  'snapshot.record': RecordTable;
}

/** A connection or a transaction on it. */
export type Executor = Kysely<Database>;

/** Kysely over a pool that stays the caller's to close. */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
