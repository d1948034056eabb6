// Whoever plans slices of an account or begins a run of it holds this lock shared. Whoever renames it, or makes a client
// of it forgotten, holds it alone: what is planned later knows of that.
import { sql } from 'kysely';

const accountLock = sql`hashtext('airank account')`;

/** SQL, until the end of the transaction. */
export const sharedAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock_shared(${accountLock}, hashtext(${account}))`;

/** SQL, until the end of the transaction. Waits for those who plan, and lets others wait. */
export const wholeAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock(${accountLock}, hashtext(${account}))`;
