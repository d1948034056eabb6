// First keys of the advisory locks with two keys, in one list, so that no key is used twice. The second key
// is the worker, account or stream: a number, or the hash of a text.
import { type RawBuilder, sql } from 'kysely';

/** Locks of processes while they are connected. A key that statements of sql/ need is a function there. */
export const processLocks = {
  worker: 'sync.worker_lock_class()',
  schedule: 'sync.schedule_lock_class()',
  refresh: 'sync.refresh_lock_class()',
  alerts: 'sync.alerts_lock_class()',
  writes: 'sync.writes_lock_class()',
  /** Held by a worker for the account, or the kind of job, that it works on. */
  turn: "hashtext('airank turn')",
} as const;

/** Locks of transactions, held until they end. */
const transactionLocks = {
  account: 'airank account',
  runBegin: 'airank run begin',
  stream: 'airank typed stream',
  scope: 'airank typed scope',
  mapping: 'airank typed mapping',
  /** Work that a database does once at a time; ensure_stream.sql, merge_fields.sql and refresh_clients.sql write it out. */
  once: 'airank',
} as const;

/** SQL: both keys of a transaction's lock. */
export const lockKeys = (kind: keyof typeof transactionLocks, which: string | RawBuilder<unknown>) =>
  sql`hashtext(${sql.lit(transactionLocks[kind])}), hashtext(${which})`;

/** SQL, until the end of the transaction. */
export const sharedAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock_shared(${lockKeys('account', account)})`;

/** SQL, until the end of the transaction. Waits for those who plan, and makes others wait. */
export const wholeAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock(${lockKeys('account', account)})`;
