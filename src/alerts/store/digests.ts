// sync.alert_digest, and the figures of a weekly summary.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface DueDigest {
  readonly account: string;
  readonly date: string;
}

export interface Mover {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly score: number;
  readonly change: number;
}

export interface DigestAlert {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly date: string;
  readonly title: string;
  readonly state: string;
}

export interface DigestFigures {
  /** Of the week before the date, the newest first. */
  readonly alerts: readonly DigestAlert[];
  /** The largest moves first. */
  readonly movers: readonly Mover[];
}

/** Each account that is watched since before has its summary of a date once for each channel. */
export async function planDigests(
  db: Executor,
  accounts: readonly string[],
  date: string,
  channels: readonly string[],
): Promise<void> {
  await sql`
    insert into sync.alert_digest (account, digest_date, channel)
    select a.account, ${date}::date, c.channel
    from unnest(${[...accounts]}::text[]) as a (account)
    cross join unnest(${[...channels]}::text[]) as c (channel)
    where exists (select from sync.alert_begin as b where b.account = a.account and b.began_on < ${date}::date)
    on conflict do nothing`.execute(db);
}

/** Those that are due for a try; a summary that is three days late is none. */
export async function readDueDigests(
  db: Executor,
  accounts: readonly string[],
  channel: string,
  today: string,
): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    select account, digest_date as date from sync.alert_digest
    where account = any(${[...accounts]}::text[]) and channel = ${channel} and told_at is null and digest_date > ${today}::date - 3
      and (tried_at + least(tries, 12) * interval '5 minutes' > now()) is not true
    order by account, digest_date`.execute(db);
  return rows;
}

/** @param error undefined: the channel took it */
export async function noteDigest(
  db: Executor,
  channel: string,
  { account, date }: DueDigest,
  error: string | undefined,
): Promise<void> {
  await sql`
    update sync.alert_digest
    set told_at = case when ${error ?? null}::text is null then now() end, tried_at = now(), tries = tries + 1,
      error = ${error ?? null}
    where account = ${account} and digest_date = ${date} and channel = ${channel}`.execute(db);
}

const mostMovers = 10;

/** @param timeZone in which the days of the week before the date begin */
export async function readDigestFigures(
  db: Executor,
  { account, date }: DueDigest,
  timeZone: string,
): Promise<DigestFigures> {
  const alerts = await sql<{
    client_id: string;
    client_name: string | null;
    date: string;
    title: string;
    state: string;
  }>`
    select client_id, client_name, alert_date as date, title, state from bi.alerts
    where account = ${account} and not is_muted and raised_at >= (${date}::date - 7)::timestamp at time zone ${timeZone}
      and raised_at < ${date}::date::timestamp at time zone ${timeZone}
    order by alert_date desc, client_id, alert_id`.execute(db);
  const movers = await sql<{ client_id: string; client_name: string | null; score: number; change: number }>`
    select client_id, client_name, score::float8 as score, change_7d::float8 as change from bi.rank_latest
    where account = ${account} and change_7d <> 0 and date > ${date}::date - 7
    order by abs(change_7d) desc, client_id limit ${mostMovers}`.execute(db);
  return {
    alerts: alerts.rows.map((row) => ({
      clientId: row.client_id,
      clientName: row.client_name ?? undefined,
      date: row.date,
      title: row.title,
      state: row.state,
    })),
    movers: movers.rows.map((row) => ({
      clientId: row.client_id,
      clientName: row.client_name ?? undefined,
      score: row.score,
      change: row.change,
    })),
  };
}
