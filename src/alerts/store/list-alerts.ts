// bi.alerts as lists show them, and what people say of one.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface ListedAlert {
  readonly alert_id: number;
  readonly account: string;
  readonly client_id: string;
  readonly client_name: string | null;
  readonly alert_date: string;
  readonly rule: string;
  readonly severity: string;
  readonly title: string;
  readonly detail: string | null;
  readonly before_value: number | null;
  readonly after_value: number | null;
  readonly threshold_value: number | null;
  readonly value_unit: string | null;
  readonly state: string;
  readonly is_muted: boolean;
  readonly raised_at: Date;
  readonly told_at: Date | null;
}

export interface AlertChoice {
  /** Those that last, and that nobody has seen. */
  readonly open: boolean;
  readonly account?: string | undefined;
  readonly limit: number;
}

/** The newest first. */
export async function listAlerts(db: Executor, choice: AlertChoice): Promise<readonly ListedAlert[]> {
  const { rows } = await sql<ListedAlert>`
    select alert_id, account, client_id, client_name, alert_date, rule, severity, title, detail,
      before_value::float8 as before_value, after_value::float8 as after_value, threshold_value::float8 as threshold_value,
      value_unit, state, is_muted, raised_at, told_at
    from bi.alerts
    where (not ${choice.open} or state = 'open') and (${choice.account ?? null}::text is null or account = ${choice.account ?? null})
    order by alert_date desc, alert_id desc limit ${choice.limit}`.execute(db);
  return rows;
}

/** Open alerts of which people are told. */
export async function countOpenAlerts(db: Executor): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from bi.alerts where state = 'open' and not is_muted`.execute(db);
  return rows[0]?.open ?? 0;
}

/** Somebody has seen it. False: there is no such alert. */
export async function acknowledge(db: Executor, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sync.alert')
    .set({ acknowledged_at: sql`coalesce(acknowledged_at, now())` })
    .where('id', '=', id)
    .where('is_silent', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
