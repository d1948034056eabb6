// Lists of bi.alerts, acknowledgements, and sync.alert_mute: rules of which nobody is told for a while.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface Mute {
  readonly account: string;
  readonly rule: string;
  /** Undefined: all clients of the account. */
  readonly clientId: string | undefined;
  /** First date on which people are told again; undefined: muted until taken back. */
  readonly until: string | undefined;
}

export async function readMutes(db: Executor, today: string): Promise<readonly Mute[]> {
  const rows = await db
    .selectFrom('sync.alert_mute')
    .select(['account', 'rule', 'client_id', 'until_date'])
    .where(({ eb, or }) => or([eb('until_date', 'is', null), eb('until_date', '>', today)]))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    account: row.account,
    rule: row.rule,
    clientId: row.client_id ?? undefined,
    until: row.until_date ?? undefined,
  }));
}

export function isMuted(mutes: readonly Mute[], account: string, rule: string, clientId: string): boolean {
  return mutes.some(
    (mute) =>
      mute.account === account &&
      mute.rule === rule &&
      (mute.clientId === undefined || mute.clientId === clientId),
  );
}

/** Mutes a rule, in place of an earlier mute of the same rule and client. */
export async function mute(db: Executor, { account, rule, clientId, until }: Mute): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await unmute(tx, { account, rule, clientId });
    await tx
      .insertInto('sync.alert_mute')
      .values({ account, rule, client_id: clientId ?? null, until_date: until ?? null })
      .execute();
  });
}

/** False: it was not muted. */
export async function unmute(
  db: Executor,
  { account, rule, clientId }: Omit<Mute, 'until'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sync.alert_mute')
    .where('account', '=', account)
    .where('rule', '=', rule)
    .where('client_id', clientId === undefined ? 'is' : '=', clientId ?? null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

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

interface AlertChoice {
  /** Only alerts that last and that nobody has seen. */
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

/** Counts open alerts that people are told of. */
export async function countOpenAlerts(db: Executor): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from bi.alerts where state = 'open' and not is_muted`.execute(db);
  return rows[0]?.open ?? 0;
}

/** Notes that somebody has seen it; false: there is no such alert. */
export async function acknowledge(db: Executor, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sync.alert')
    .set({ acknowledged_at: sql`coalesce(acknowledged_at, now())` })
    .where('id', '=', id)
    .where('is_silent', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
