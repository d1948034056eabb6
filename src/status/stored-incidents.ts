// What people were told, and are still to be told, by whichever process works.
import { sql } from 'kysely';
import * as z from 'zod';
import type { Executor } from '../db/database.ts';

/** By name of the channel: when it took the message, and that of the end, as ISO 8601. */
const storedChannels = z.record(
  z.string(),
  z.object({ told_at: z.string().optional(), told_over_at: z.string().optional() }),
);

export interface StoredIncident {
  /** What the incident is, such as `key:acme`. */
  readonly cause: string;
  /** Its kind, such as `run_failed` or `stream_stale`. */
  readonly kind: string;
  readonly account: string | undefined;
  /** In names, types, numbers and statuses; no value of the data. */
  readonly message: string;
  /** The same with what it quotes: an example of a field, what the server or Postgres answered. */
  readonly detail?: string | undefined;
  readonly since: Date;
  readonly overAt: Date | undefined;
  /** By any channel. */
  readonly deliveredAt: Date | undefined;
  readonly endDeliveredAt: Date | undefined;
  /** A channel stands here, and is stored, before anything is sent to it. */
  readonly channels: Readonly<z.infer<typeof storedChannels>>;
}

/** With the values that it quotes: for people at the machine, and for webhooks where a setting says so. */
export function wholeMessage({ message, detail }: Pick<StoredIncident, 'message' | 'detail'>): string {
  return detail ?? message;
}

/** Incidents that ended before this moment are no longer sent, and deleted. */
const forgottenBefore = sql<Date>`now() - interval '30 days'`;

/** Incidents that last, and what was over in the last weeks. */
export async function readIncidents(db: Executor): Promise<StoredIncident[]> {
  const rows = await db
    .selectFrom('sync.incident')
    .selectAll()
    .where((eb) => eb.or([eb('over_at', 'is', null), eb('over_at', '>', forgottenBefore)]))
    .orderBy('since')
    .execute();
  return rows.map((row) => ({
    cause: row.cause,
    kind: row.kind,
    account: row.account ?? undefined,
    message: row.message,
    detail: row.detail ?? undefined,
    since: row.since,
    overAt: row.over_at ?? undefined,
    deliveredAt: row.told_at ?? undefined,
    endDeliveredAt: row.told_over_at ?? undefined,
    channels: storedChannels.parse(row.channels ?? {}),
  }));
}

export async function saveIncidents(db: Executor, notifications: readonly StoredIncident[]): Promise<void> {
  if (notifications.length === 0) return;
  await db
    .insertInto('sync.incident')
    .values(
      notifications.map((notification) => ({
        cause: notification.cause,
        kind: notification.kind,
        account: notification.account ?? null,
        message: notification.message,
        detail: notification.detail ?? null,
        since: notification.since,
        over_at: notification.overAt ?? null,
        told_at: notification.deliveredAt ?? null,
        told_over_at: notification.endDeliveredAt ?? null,
        channels: JSON.stringify(notification.channels),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('cause').doUpdateSet({
        kind: (eb) => eb.ref('excluded.kind'),
        account: (eb) => eb.ref('excluded.account'),
        message: (eb) => eb.ref('excluded.message'),
        detail: (eb) => eb.ref('excluded.detail'),
        since: (eb) => eb.ref('excluded.since'),
        over_at: (eb) => eb.ref('excluded.over_at'),
        told_at: (eb) => eb.ref('excluded.told_at'),
        told_over_at: (eb) => eb.ref('excluded.told_over_at'),
        channels: (eb) => eb.ref('excluded.channels'),
      }),
    )
    .execute();
  await db.deleteFrom('sync.incident').where('over_at', '<', forgottenBefore).execute();
}
