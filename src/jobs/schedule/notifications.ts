// Tells people of incidents and of their end: each cause at most once a day, also over restarts.
import { hostname } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Channel, Message } from '../../mail/channels.ts';
import { type Notification, wholeMessage } from '../../status/notifications.ts';
import type { Findings, Incident } from './incidents.ts';

interface SendOptions {
  readonly logger: Logger;
  readonly onResult?: (webhook: string, delivered: boolean) => void;
  /** Quotes values of the data, and what a server answered. */
  readonly withValues: boolean;
  /** Name of this installation; who has several must know which one speaks. */
  readonly environment?: string | undefined;
  /** Name of the machine; default: its own. */
  readonly host?: string;
}

/** Never rejects. True as soon as one channel took it; the others may still try. False: none took it, or none is set. */
export async function sendIncidents(
  channels: readonly Channel[],
  deliveries: readonly Delivery[],
  options: SendOptions,
): Promise<boolean> {
  const { logger, onResult } = options;
  const message = incidentsMessage(deliveries, options);
  const results = channels.map(async ({ name, kind, send }) => {
    const error = await send(message);
    const where = kind === 'webhook' ? { webhook: name } : { address: name };
    if (error !== undefined) logger.warn({ event: `${kind}.failed`, ...where, error });
    else logger.info({ event: `${kind}.sent`, ...where, messages: deliveries.length });
    if (kind === 'webhook') onResult?.(name, error === undefined);
    if (error !== undefined) throw new Error(`${name} did not take it`);
  });
  return await Promise.any(results).then(
    () => true,
    () => false,
  );
}

const marks = { trouble: '✗', over: '✓ over:', news: 'ℹ' } as const;

/** Lines begin with where they come from: `airank production/web-3 ✗ …`. */
function incidentsMessage(
  all: readonly Delivery[],
  { withValues, environment, host = hostname() }: SendOptions,
): Message {
  const where = environment === undefined ? host : `${environment}/${host}`;
  const deliveries = all.map(({ state, notification }) => ({
    ...{ state, notification },
    message: withValues ? wholeMessage(notification) : notification.message,
  }));
  const lines = deliveries.map(({ state, message }) => `airank ${where} ${marks[state]} ${message}`);
  return {
    subject: `${lines[0] ?? ''}${lines.length > 1 ? ` (and ${lines.length - 1} more)` : ''}`,
    lines,
    json: {
      source: 'airank-warehouse',
      host,
      environment: environment ?? null,
      text: '',
      notices: deliveries.map(({ state, notification, message }) => ({
        state,
        kind: notification.kind,
        cause: notification.cause,
        account: notification.account ?? null,
        message,
        since: notification.since.toISOString(),
        over_at: state === 'over' ? (notification.overAt?.toISOString() ?? null) : null,
      })),
    },
  };
}

export interface Delivery {
  readonly state: 'trouble' | 'over' | 'news';
  readonly notification: Notification;
}

interface NotificationsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  load(): Promise<readonly Notification[]>;
  save(notifications: readonly Notification[]): Promise<void>;
  send(told: readonly Delivery[]): Promise<boolean>;
}

interface Notifications {
  note(findings: Findings): void;
  /** Tells what is due and stores it. Never rejects. */
  deliver(): Promise<void>;
  lasting(): readonly Notification[];
}

/** As long as the table has them. */
const storedMs = 30 * dayMs;

/** The book lives in memory, and in the database while that answers. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { clock, logger } = options;
  const notifications = new Map<string, Notification>();
  const unsaved = new Set<string>();
  let loaded = false;
  let delivering: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const put = (notification: Notification) => {
    notifications.set(notification.cause, notification);
    unsaved.add(notification.cause);
  };

  const begin = (incident: Incident) => {
    const known = notifications.get(incident.cause);
    if (isNews(incident)) {
      const now = new Date(clock.now());
      const told = { deliveredAt: known?.deliveredAt, endDeliveredAt: undefined };
      // Seen again, it is stored for longer; once a day is enough.
      if (known?.overAt === undefined || clock.now() - known.overAt.getTime() > dayMs)
        put({ ...incident, since: known?.since ?? now, overAt: now, ...told });
      return;
    }
    const lasts = known !== undefined && known.overAt === undefined;
    const same = known?.message === incident.message && known.detail === incident.detail;
    if (lasts && same && known.kind === incident.kind) return;
    put({
      ...incident,
      since: lasts ? known.since : new Date(clock.now()),
      overAt: undefined,
      deliveredAt: known?.deliveredAt,
      endDeliveredAt: known?.endDeliveredAt,
    });
    if (!lasts)
      logger.warn({
        event: 'trouble.began',
        cause: incident.cause,
        kind: incident.kind,
        message: incident.message,
      });
  };

  const end = (notification: Notification) => {
    put({ ...notification, overAt: new Date(clock.now()) });
    logger.info({ event: 'trouble.over', cause: notification.cause, kind: notification.kind });
  };

  /** Rows of an earlier process, unless this process has newer ones. */
  const load = async () => {
    if (loaded) return;
    for (const notification of await options.load()) {
      const own = notifications.get(notification.cause);
      const { deliveredAt = notification.deliveredAt, endDeliveredAt = notification.endDeliveredAt } =
        own ?? {};
      notifications.set(notification.cause, { ...(own ?? notification), deliveredAt, endDeliveredAt });
    }
    loaded = true;
  };

  const save = async () => {
    const some = [...unsaved].flatMap((cause) => notifications.get(cause) ?? []);
    await options.save(some);
    for (const notification of some)
      if (notifications.get(notification.cause) === notification) unsaved.delete(notification.cause);
    for (const { cause, overAt } of notifications.values()) {
      const isOld = overAt !== undefined && clock.now() - overAt.getTime() > storedMs;
      if (isOld && !unsaved.has(cause)) notifications.delete(cause);
    }
  };

  const deliverNow = async () => {
    await load().catch((error: unknown) => logger.debug({ event: 'notices.not_loaded', err: error }));
    const due = [...notifications.values()].flatMap((notification) =>
      deliveriesOf(notification, clock.now()),
    );
    if (due.length > 0 && (await options.send(due))) {
      const now = new Date(clock.now());
      for (const { state, notification } of due) {
        const current = notifications.get(notification.cause) ?? notification;
        put(state === 'over' ? { ...current, endDeliveredAt: now } : { ...current, deliveredAt: now });
      }
    }
    await save().catch((error: unknown) => logger.debug({ event: 'notices.not_saved', err: error }));
  };

  return {
    note({ looked, incidents }) {
      for (const incident of incidents) begin(incident);
      const found = new Set(incidents.map((incident) => incident.cause));
      for (const notification of notifications.values()) {
        if (notification.overAt === undefined && looked(notification.cause) && !found.has(notification.cause))
          end(notification);
      }
    },
    deliver() {
      // One after another, so that nothing is told twice; a waiting call also tells what came since.
      next ??= delivering.then(() => {
        next = undefined;
        delivering = deliverNow();
        return delivering;
      });
      return next;
    },
    lasting: () => [...notifications.values()].filter((notification) => notification.overAt === undefined),
  };
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'drift' || kind === 'notification';
}

/** News are sent once. An incident is sent unless it was within a day; its end, if the incident was sent after the last end. */
function deliveriesOf(notification: Notification, nowMs: number): Delivery[] {
  const deliveredMs = notification.deliveredAt?.getTime();
  if (isNews(notification)) return deliveredMs === undefined ? [{ state: 'news', notification }] : [];
  if (notification.overAt === undefined) {
    return deliveredMs !== undefined && nowMs - deliveredMs < dayMs
      ? []
      : [{ state: 'trouble', notification }];
  }
  const endDelivered =
    notification.endDeliveredAt !== undefined &&
    deliveredMs !== undefined &&
    notification.endDeliveredAt.getTime() >= deliveredMs;
  return deliveredMs === undefined || endDelivered ? [] : [{ state: 'over', notification }];
}
