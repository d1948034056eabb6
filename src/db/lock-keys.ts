// First keys of the advisory locks that have two, all in one list, so that none stands for two things. The second key
// says which worker, account or stream: a number, or the hash of a text.
import { type RawBuilder, sql } from 'kysely';

/** Of processes, as long as they are connected. Where statements of sql/ ask who has them, a function there. */
export const processLocks = {
  worker: 'sync.worker_lock_class()',
  schedule: 'sync.schedule_lock_class()',
  refresh: 'sync.refresh_lock_class()',
  alerts: 'sync.alerts_lock_class()',
  writes: 'sync.writes_lock_class()',
  /** Of an account, or a kind of job, that a worker works on. */
  turn: "hashtext('airank turn')",
} as const;

/** Of transactions, until their end. */
const transactionLocks = {
  account: 'airank account',
  runBegin: 'airank run begin',
  stream: 'airank typed stream',
  scope: 'airank typed scope',
  mapping: 'airank typed mapping',
  /** What a database does once at a time; ensure_stream.sql and merge_fields.sql write it out. */
  once: 'airank',
} as const;

/** SQL: both keys of a transaction's lock. */
export const lockKeys = (kind: keyof typeof transactionLocks, which: string | RawBuilder<unknown>) =>
  sql`hashtext(${sql.lit(transactionLocks[kind])}), hashtext(${which})`;

/** SQL, until the end of the transaction. */
export const sharedAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock_shared(${lockKeys('account', account)})`;

/** SQL, until the end of the transaction. Waits for those who plan, and lets others wait. */
export const wholeAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock(${lockKeys('account', account)})`;
