// sync.report_sent: the reports that the mail server took, by address.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

/** A client's report of a period, in a language. Dates are both included. */
export interface MailedReport {
  readonly account: string;
  readonly clientId: string;
  readonly from: string;
  readonly to: string;
  readonly language: string;
}

/** Addresses that got it, as noteSent was given them. */
export async function readSentTo(db: Executor, report: MailedReport): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sync.report_sent')
    .select('address')
    .where('account', '=', report.account)
    .where('client_id', '=', report.clientId)
    .where('period_from', '=', report.from)
    .where('period_to', '=', report.to)
    .where('language', '=', report.language)
    .execute();
  return new Set(rows.map(({ address }) => address));
}

/** Notes the addresses of a mailed report. If it is sent again, the newest mail gives the time. */
export async function noteSent(
  db: Executor,
  report: MailedReport,
  addresses: readonly string[],
): Promise<void> {
  const { account, clientId, from, to, language } = report;
  await sql`
    insert into sync.report_sent (account, client_id, period_from, period_to, language, address)
    select distinct ${account}, ${clientId}, ${from}::date, ${to}::date, ${language}, address
    from unnest(${addresses}::text[]) as address
    on conflict (account, client_id, period_from, period_to, language, address) do update set sent_at = now()`.execute(
    db,
  );
}
