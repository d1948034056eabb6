// sync.alert of one rule, as far as people ask what became of it.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface RememberedAlert {
  readonly id: number;
  readonly clientId: string;
  readonly subject: string;
  readonly date: string;
  /** Date of the figures that ended it; undefined: it lasts, or has no end. */
  readonly endedOn: string | undefined;
  readonly lasts: boolean;
  /** It was so when the rule began. */
  readonly isSilent: boolean;
  readonly isMuted: boolean;
  readonly title: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly raisedOn: string;
  readonly toldOn: string | undefined;
}

/** The newest first, silent ones included. */
export async function readStoredAlerts(
  db: Executor,
  { account, rule, timeZone }: { readonly account: string; readonly rule: string; readonly timeZone: string },
): Promise<readonly RememberedAlert[]> {
  const { rows } = await sql<
    Omit<RememberedAlert, 'endedOn' | 'toldOn' | 'before' | 'after'> &
      Record<'endedOn' | 'toldOn', string | null> &
      Record<'before' | 'after', number | null>
  >`
    select a.id, a.client_id as "clientId", a.subject, a.alert_date as date, a.ended_on as "endedOn", a.lasts,
      a.is_silent as "isSilent", a.is_muted as "isMuted", a.title,
      a.before_value::float8 as before, a.after_value::float8 as after, (a.raised_at at time zone ${timeZone})::date as "raisedOn", (
        select (min(t.told_at) at time zone ${timeZone})::date
        from sync.alert_telling as t where t.account = a.account and t.alert_id = a.id
      ) as "toldOn"
    from sync.alert as a
    where a.account = ${account} and a.rule = ${rule}
    order by a.alert_date desc, a.id desc`.execute(db);
  return rows.map((row) => ({
    ...row,
    endedOn: row.endedOn ?? undefined,
    toldOn: row.toldOn ?? undefined,
    before: row.before ?? undefined,
    after: row.after ?? undefined,
  }));
}
