// Opens a key that the server closed, because a person says so.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type DaySettings, dayRenewal } from './budget-report.ts';

export interface Reopened {
  /** When it would have opened by itself. */
  readonly closedUntil: Date;
  /** UTC time of day, `HH:MM`, that the same refusal gave for the day's renewal; it no longer counts. */
  readonly forgottenRenewal: string | undefined;
}

/** Undefined: the key is not closed. */
export async function reopenAccount(
  db: Executor,
  account: string,
  settings: DaySettings,
): Promise<Reopened | undefined> {
  const fallback = dayRenewal(account, { ...settings, learnDayRenewal: false });
  const result = await sql<{ closed_until: Date; forgotten: string | null }>`
    select closed_until, to_char(forgotten, 'HH24:MI') as forgotten
    from sync.reopen_account(${account}, ${fallback})`.execute(db);
  const row = result.rows[0];
  if (row === undefined) return undefined;
  return { closedUntil: row.closed_until, forgottenRenewal: row.forgotten ?? undefined };
}
