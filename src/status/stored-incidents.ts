// sync.incident: failures of unattended work, and which channels were told of them, by whichever process
// works.
import { sql } from 'kysely';
import { type Delivery, isRested, noteDelivery } from '../alerts/store/deliveries.ts';
import type { Executor } from '../db/database.ts';

export interface Incident {
  /** Identifies the incident whenever it is seen, such as `key:acme`. */
  readonly cause: string;
  /** Such as `run_failed` or `stream_stale`. */
  readonly kind: string;
  readonly account: string | undefined;
  /** Holds names, types, numbers and statuses, and no values of the data: it goes to webhooks. */
  readonly message: string;
  /** The message with the values that it leaves out: data, and answers of the server or of Postgres. */
  readonly detail?: string | undefined;
}

export interface StoredIncident extends Incident {
  readonly since: Date;
  readonly overAt: Date | undefined;
}

/** Times at which one channel was told, or the last of any channel. */
export interface ToldIncident extends StoredIncident {
  readonly toldAt: Date | undefined;
  readonly toldOverAt: Date | undefined;
}

/** Returns the message with values, for people at the machine. */
export function wholeMessage({ message, detail }: Pick<StoredIncident, 'message' | 'detail'>): string {
  return detail ?? message;
}

/**
 * Notes that a channel took messages, or why not.
 * @param error undefined: it took them
 */
export async function noteIncidents(
  db: Executor,
  channel: string,
  told: readonly { readonly incident: Incident; readonly isEnd: boolean }[],
  error: string | undefined,
): Promise<void> {
  const deliveries = told.map(({ incident: { account = '', cause }, isEnd }): Delivery => {
    return { account, kind: 'incident', about: cause, isEnd };
  });
  await noteDelivery(db, channel, deliveries, error);
}

/** Incidents that ended before this moment are no longer sent, and deleted. */
const forgottenBefore = sql<Date>`now() - interval '30 days'`;

/**
 * Incidents that last, and what was over in the last weeks.
 * @param channel only those that it may be told now, as planIncidents left it to be told; undefined: all
 */
export async function readIncidents(db: Executor, channel?: string): Promise<ToldIncident[]> {
  const { rows } = await sql<{
    cause: string;
    kind: string;
    account: string | null;
    message: string;
    detail: string | null;
    since: Date;
    over_at: Date | null;
    told_at: Date | null;
    told_over_at: Date | null;
  }>`
    select i.cause, i.kind, i.account, i.message, i.detail, i.since, i.over_at, max(t.told_at) as told_at,
      max(t.told_over_at) as told_over_at
    from sync.incident as i
    left join sync.delivery as t on t.kind = 'incident' and t.account = coalesce(i.account, '') and t.about = i.cause
    where (i.over_at is null or i.over_at > ${forgottenBefore})
      and (${channel ?? null}::text is null or (t.channel = ${channel ?? null} and ${isRested}))
    group by i.cause order by i.since, i.cause`.execute(db);
  return rows.map((row) => ({
    cause: row.cause,
    kind: row.kind,
    account: row.account ?? undefined,
    message: row.message,
    detail: row.detail ?? undefined,
    since: row.since,
    overAt: row.over_at ?? undefined,
    toldAt: row.told_at ?? undefined,
    toldOverAt: row.told_over_at ?? undefined,
  }));
}

export async function saveIncidents(db: Executor, incidents: readonly StoredIncident[]): Promise<void> {
  if (incidents.length > 0) {
    await db
      .insertInto('sync.incident')
      .values(
        incidents.map(({ cause, kind, account, message, detail, since, overAt }) => ({
          ...{ cause, kind, account: account ?? null, message, detail: detail ?? null },
          ...{ since, over_at: overAt ?? null },
        })),
      )
      .onConflict((conflict) =>
        conflict.column('cause').doUpdateSet(({ ref }) => ({
          kind: ref('excluded.kind'),
          account: ref('excluded.account'),
          message: ref('excluded.message'),
          detail: ref('excluded.detail'),
          since: ref('excluded.since'),
          over_at: ref('excluded.over_at'),
        })),
      )
      .execute();
  }
  await sql`
    with old as (delete from sync.incident where over_at < ${forgottenBefore} returning cause, account)
    delete from sync.delivery as t using old
    where t.account = coalesce(old.account, '') and t.kind = 'incident' and t.about = old.cause`.execute(db);
}

/** Plans messages before any is sent. A new channel begins with what the others were told. */
export async function planIncidents(db: Executor, channels: readonly string[]): Promise<void> {
  await sql`
    insert into sync.delivery (account, kind, about, channel, told_at, told_over_at)
    select coalesce(i.account, ''), 'incident', i.cause, c.channel, t.told_at, t.told_over_at
    from sync.incident as i
    cross join unnest(${[...channels]}::text[]) as c (channel)
    cross join lateral (
      select max(d.told_at) as told_at, max(d.told_over_at) as told_over_at from sync.delivery as d
      where d.account = coalesce(i.account, '') and d.kind = 'incident' and d.about = i.cause
    ) as t
    on conflict do nothing`.execute(db);
}
