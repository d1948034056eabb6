// sync.delivery: what is still to be sent to each channel of alerts, weekly summaries and incidents, and how
// tries ended.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { mostRests, restMinutes } from '../../mail/deliver.ts';

/** Rows of `t` that are due for a try. */
export const isRested = sql`
  (t.attempted_at + least(t.attempts, ${sql.lit(mostRests)}) * interval '1 minute' * ${sql.lit(restMinutes)} > now()) is not true`;

export interface Delivery {
  readonly account: string;
  readonly kind: 'alert' | 'digest' | 'incident';
  /** The number of the alert, the date of the summary, or the cause of the incident. */
  readonly about: string;
  /** True: it says that the incident is over. */
  readonly isEnd?: boolean;
}

/** @param error undefined: the channel took it */
export async function noteDelivery(
  db: Executor,
  channel: string,
  deliveries: readonly Delivery[],
  error: string | undefined,
): Promise<void> {
  const isTold = sql`${error === undefined}`;
  await sql`
    update sync.delivery as t
    set told_at = case when ${isTold} and not a.is_end then now() else t.told_at end,
      told_over_at = case when ${isTold} and a.is_end then now() else t.told_over_at end,
      attempted_at = now(), attempts = case when ${isTold} then 0 else t.attempts + 1 end, error = ${error ?? null}
    from unnest(
      ${deliveries.map(({ account }) => account)}::text[], ${deliveries.map(({ kind }) => kind)}::text[],
      ${deliveries.map(({ about }) => about)}::text[], ${deliveries.map(({ isEnd = false }) => isEnd)}::boolean[]
    ) as a (account, kind, about, is_end)
    where t.account = a.account and t.kind = a.kind and t.about = a.about and t.channel = ${channel}`.execute(
    db,
  );
}

export interface DueDigest {
  readonly account: string;
  readonly date: string;
}

interface Mover {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly score: number;
  /** Points in 28 days. */
  readonly change: number;
}

interface DigestAlert {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly date: string;
  readonly title: string;
  readonly state: string;
}

export interface DigestFigures {
  /** Alerts of the week before the date, the newest first. */
  readonly alerts: readonly DigestAlert[];
  /** Clear changes only, the largest first. */
  readonly movers: readonly Mover[];
}

/** Plans the summary of a date for each channel, once, for accounts that were watched before that date. */
export async function planDigests(
  db: Executor,
  accounts: readonly string[],
  date: string,
  channels: readonly string[],
): Promise<void> {
  await sql`
    insert into sync.delivery (account, kind, about, channel)
    select a.account, 'digest', ${date}::text, c.channel
    from unnest(${[...accounts]}::text[]) as a (account)
    cross join unnest(${[...channels]}::text[]) as c (channel)
    where exists (select from sync.alert_watch as b where b.account = a.account and b.watched_since < ${date}::date)
    on conflict do nothing`.execute(db);
}

/** Lists summaries that are due for a try, without those three days late or more. */
export async function readDueDigests(
  db: Executor,
  accounts: readonly string[],
  channel: string,
  today: string,
): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    select t.account, t.about as date from sync.delivery as t
    where t.account = any(${[...accounts]}::text[]) and t.kind = 'digest' and t.channel = ${channel} and t.told_at is null
      and t.about >= (${today}::date - ${sql.lit(latestDays)})::text and ${isRested}
    order by 1, 2`.execute(db);
  return rows;
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
    select client_id, client_name, score::float8 as score, change_28d::float8 as change from bi.rank_latest
    where account = ${account} and change_28d_is_clear and date > ${date}::date - 7
    order by abs(change_28d) desc, client_id limit ${mostMovers}`.execute(db);
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

export interface UndeliveredAlert {
  readonly account: string;
  readonly id: number;
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly rule: string;
  readonly severity: 'warning' | 'good' | 'info';
  readonly date: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly unit: string | undefined;
}

interface Row {
  account: string;
  id: number;
  client_id: string;
  client_name: string | null;
  rule: string;
  severity: 'warning' | 'good' | 'info';
  alert_date: string;
  title: string;
  detail: string | null;
  before_value: number | null;
  after_value: number | null;
  unit: string | null;
  attempts: number;
}

/** A summary that is more days late than this is left out. */
export const latestDays = 2;
/** Alerts older than this are given up: last week's news is no news. */
const giveUpAfterDays = 7;
/** Larger messages are refused by some servers, and read by nobody. */
const mostAtOnce = 100;
/** Characters of titles and details in a message; one alert may have more. */
const mostText = 100_000;

/**
 * Reads the due alerts that fit into one message, without those that were seen or muted or that recovered
 * before. Those tried less often come first, so that one that a channel always refuses holds up nothing.
 */
export async function readUndelivered(
  db: Executor,
  channel: string,
  today: string,
): Promise<readonly UndeliveredAlert[]> {
  const { rows } = await sql<Row>`
    select a.account, a.id, a.client_id, c.client_name, a.rule, a.severity, a.alert_date, a.title, a.detail,
      a.before_value::float8 as before_value, a.after_value::float8 as after_value, a.unit, t.attempts
    from sync.delivery as t
    join sync.alert as a on a.account = t.account and a.id = t.about::bigint
    left join bi.clients as c on c.account = a.account and c.client_id = a.client_id
    where t.kind = 'alert' and t.channel = ${channel} and t.told_at is null
      and a.raised_at > now() - ${giveUpAfterDays} * interval '1 day' and ${isRested} and ${isWanted(today)}
    order by t.attempts, a.account, a.client_id, a.id
    limit ${mostAtOnce}`.execute(db);
  return firstThatFit(rows).map((row) => ({
    account: row.account,
    id: row.id,
    clientId: row.client_id,
    clientName: row.client_name ?? undefined,
    rule: row.rule,
    severity: row.severity,
    date: row.alert_date,
    title: row.title,
    detail: row.detail ?? undefined,
    before: row.before_value ?? undefined,
    after: row.after_value ?? undefined,
    unit: row.unit ?? undefined,
  }));
}

/** SQL: true if nobody saw or muted the alert, and it did not recover. */
const isWanted = (today: string) => sql`
  a.acknowledged_at is null and not a.is_recovered and not exists (
    select from sync.alert_mute as m
    where m.account = a.account and m.rule = a.rule and (m.client_id is null or m.client_id = a.client_id)
      and (m.until_date is null or m.until_date > ${today}::date)
  )`;

/** Rows tried less often are left for another message, so that they do not share one that was refused. */
function firstThatFit(rows: readonly Row[]): readonly Row[] {
  let text = 0;
  const end = rows.findIndex(({ title, detail, attempts }, index) => {
    text += title.length + (detail?.length ?? 0);
    return index > 0 && (text > mostText || attempts !== rows[0]?.attempts);
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const givenUp = `Given up after ${giveUpAfterDays} days`;

/** Gives up alerts that a channel did not take in time. @returns how many are new, and the channel's last answer */
export async function giveUpOld(
  db: Executor,
  channel: string,
  today: string,
): Promise<{ readonly alerts: number; readonly error: string | undefined }> {
  const { rows } = await sql<{ error: string }>`
    update sync.delivery as t set error = concat_ws(': ', ${givenUp}::text, t.error)
    from sync.alert as a
    where a.account = t.account and t.kind = 'alert' and t.about = a.id::text and t.channel = ${channel} and t.told_at is null
      and a.raised_at <= now() - ${giveUpAfterDays} * interval '1 day'
      and not starts_with(coalesce(t.error, ''), ${givenUp}) and ${isWanted(today)}
    returning t.error`.execute(db);
  return { alerts: rows.length, error: rows.at(-1)?.error };
}
