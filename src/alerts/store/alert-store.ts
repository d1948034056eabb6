// sync.alert and sync.alert_watch: since when a rule watches a client, and the alerts that it raised.
import { type OnConflictBuilder, sql } from 'kysely';
import type { AlertRuleName } from '../../config/alert-rules.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Database, Executor } from '../../db/database.ts';

/** Date of the data that the first rule began with; undefined: none has looked yet. */
export async function readWatchedSince(db: Executor, account?: string): Promise<string | undefined> {
  const { rows } = await sql<{ date: string | null }>`
    select min(watched_since) as date from sync.alert_watch
    where ${account ?? null}::text is null or account = ${account ?? null}`.execute(db);
  return rows[0]?.date ?? undefined;
}

interface StoredAlert {
  readonly id: number;
  readonly clientId: string;
  readonly subject: string;
  readonly date: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly threshold: number | undefined;
}

export interface WatchedClients {
  /** The start of a rule by client: the date of the data, and the mapping at that time. */
  readonly began: ReadonlyMap<string, { readonly date: string; readonly mapping: string }>;
  readonly lasting: readonly StoredAlert[];
}

export interface NewAlert extends Omit<StoredAlert, 'id'> {
  readonly severity: 'warning' | 'good' | 'info';
  readonly title: string;
  readonly titles?: Readonly<Record<'en' | 'es', string>>;
  readonly detail: string | undefined;
  readonly unit: string | undefined;
  readonly lasts: boolean;
  readonly isSilent: boolean;
  readonly isMuted: boolean;
}

/** A new alert that is neither silent nor muted. */
export interface RaisedAlert extends NewAlert {
  readonly account: string;
  readonly rule: string;
  readonly id: number;
}

export interface AlertChanges {
  readonly account: string;
  readonly rule: AlertRuleName;
  readonly mapping: string;
  readonly begins: readonly { readonly clientId: string; readonly date: string }[];
  readonly ended: readonly {
    readonly id: number;
    readonly endedOn: string;
    readonly isRecovered: boolean;
  }[];
  readonly raised: readonly NewAlert[];
  /** The channels to tell of new alerts that are neither silent nor muted. */
  readonly channels: readonly string[];
}

const text = (value: number | undefined) => (value === undefined ? null : String(value));
const number = (value: string | null) => (value === null ? undefined : Number(value));

/** Reads what every rule watches, in two statements for all rules; returns it by the name of a rule. */
export async function readWatched(db: Executor, account: string): Promise<(rule: string) => WatchedClients> {
  const begins = db
    .selectFrom('sync.alert_watch')
    .select(['rule', 'client_id', 'watched_since', 'mapping'])
    .where('account', '=', account);
  const lasts = db
    .selectFrom('sync.alert')
    .select(['rule', 'id', 'client_id', 'subject', 'alert_date', 'before_value', 'after_value', 'threshold'])
    .where('account', '=', account)
    .where('lasts', '=', true)
    .where('ended_on', 'is', null);
  const [begun, lasting] = await Promise.all([begins.execute(), lasts.execute()]);
  const begunBy = groupBy(begun, (row) => row.rule);
  const lastingBy = groupBy(lasting, (row) => row.rule);
  return (rule) => ({
    began: new Map(
      begunBy.get(rule)?.map((row) => [row.client_id, { date: row.watched_since, mapping: row.mapping }]),
    ),
    lasting: (lastingBy.get(rule) ?? []).map((row) => ({
      id: row.id,
      clientId: row.client_id,
      subject: row.subject,
      date: row.alert_date,
      before: number(row.before_value),
      after: number(row.after_value),
      threshold: number(row.threshold),
    })),
  });
}

/** Stores all or nothing, and nothing twice. @returns the new alerts that people are told of */
export async function storeAlerts(db: Executor, changes: AlertChanges): Promise<readonly RaisedAlert[]> {
  const { account, rule, mapping, begins, ended, raised, channels } = changes;
  if (begins.length + ended.length + raised.length === 0) return [];
  return await db.transaction().execute(async (tx) => {
    for (const { id, endedOn, isRecovered } of ended) {
      await tx
        .updateTable('sync.alert')
        .set({ ended_on: endedOn, is_recovered: isRecovered })
        .where('account', '=', account)
        .where('id', '=', id)
        .execute();
    }
    if (begins.length > 0) {
      await tx
        .insertInto('sync.alert_watch')
        .values(
          begins.map(({ clientId, date }) => ({
            account,
            rule,
            client_id: clientId,
            watched_since: date,
            mapping,
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'rule', 'client_id'])
            .doUpdateSet(({ ref }) => ({ watched_since: ref('excluded.watched_since'), mapping })),
        )
        .execute();
    }
    const heard: RaisedAlert[] = [];
    for (const alert of raised) {
      const row = await tx
        .insertInto('sync.alert')
        .values(valuesOf(account, rule, alert))
        .onConflict((conflict) => (alert.isSilent ? reopened(conflict) : conflict.doNothing()))
        .returning('id')
        .executeTakeFirst();
      if (row === undefined || alert.isSilent) continue;
      heard.push({ ...alert, account, rule, id: row.id });
      if (alert.isMuted || channels.length === 0) continue;
      await tx
        .insertInto('sync.delivery')
        .values(channels.map((channel) => ({ account, kind: 'alert', about: String(row.id), channel })))
        .execute();
    }
    return heard;
  });
}

function valuesOf(account: string, rule: string, alert: NewAlert) {
  return {
    account,
    rule,
    client_id: alert.clientId,
    subject: alert.subject,
    alert_date: alert.date,
    severity: alert.severity,
    title: alert.title,
    title_en: alert.titles?.en ?? null,
    title_es: alert.titles?.es ?? null,
    detail: alert.detail ?? null,
    before_value: text(alert.before),
    after_value: text(alert.after),
    threshold: text(alert.threshold),
    unit: alert.unit ?? null,
    lasts: alert.lasts,
    is_silent: alert.isSilent,
    is_muted: alert.isMuted,
  };
}

/** Ends the alerts of a rule that is off; when it is switched on again it starts over. */
export async function forgetRule(db: Executor, account: string, rule: string): Promise<void> {
  await sql`
    with begun as (delete from sync.alert_watch where account = ${account} and rule = ${rule})
    update sync.alert
    set ended_on = greatest(alert_date, (select max(run_date) from sync.newest where account = ${account}))
    where account = ${account} and rule = ${rule} and lasts and ended_on is null`.execute(db);
}

/** Ends the alerts of clients that left; if one comes back, its rules start over. */
export async function forgetLeft(db: Executor, account: string): Promise<void> {
  await sql`
    with gone as (
      select client_id, left_on from bi.clients where account = ${account} and left_on is not null
    ), begun as (
      delete from sync.alert_watch as b using gone where b.account = ${account} and b.client_id = gone.client_id
    )
    update sync.alert as a set ended_on = greatest(a.alert_date, gone.left_on)
    from gone
    where a.account = ${account} and a.client_id = gone.client_id and a.lasts and a.ended_on is null`.execute(
    db,
  );
}

/** Reopens an alert that held when its rule was switched off, and still holds: it is the same alert. */
function reopened(conflict: OnConflictBuilder<Database, 'sync.alert'>) {
  return conflict
    .expression(sql`account, client_id, rule, md5(subject), alert_date`)
    .doUpdateSet({ ended_on: null, is_recovered: false });
}
