// Whoever plans slices of an account or begins a run of it holds this lock shared. Whoever renames it, or makes a client
// of it forgotten, holds it alone: what is planned later knows of that.
import { sql } from 'kysely';
import { lockKeys } from '../../db/lock-keys.ts';

/** SQL, until the end of the transaction. */
export const sharedAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock_shared(${lockKeys('account', account)})`;

/** SQL, in an order, so that nobody who renames two waits for one who waits for him. */
export const sharedAccountLocks = (accounts: readonly string[]) => sql`
  select pg_advisory_xact_lock_shared(${lockKeys('account', sql`account`)})
  from (select account from unnest(${[...accounts]}::text[]) as a (account) order by account collate "C") as ordered`;

/** SQL, until the end of the transaction. Waits for those who plan, and lets others wait. */
export const wholeAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock(${lockKeys('account', account)})`;
