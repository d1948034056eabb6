// Tells people of incidents and of their end: each cause at most once a day, also over restarts.
import { hostname } from 'node:os';
import type { WebhookConfig } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { postJson } from '../../core/http.ts';
import type { Logger } from '../../core/logger.ts';
import { dayMs } from '../../core/run-date.ts';
import { firstLines, slackBody } from '../../core/text.ts';
import { type Notification, wholeMessage } from '../../status/notifications.ts';
import type { Findings, Incident } from './incidents.ts';

interface WebhookOptions {
  readonly webhooks: readonly WebhookConfig[];
  readonly logger: Logger;
  readonly scrub: (text: string) => string;
  readonly onResult?: (webhook: string, delivered: boolean) => void;
  /** Quotes values of the data, and what a server answered. */
  readonly withValues: boolean;
  /** Name of this installation; who has several must know which one speaks. */
  readonly environment?: string | undefined;
  /** Name of the machine; default: its own. */
  readonly host?: string;
  /** For a whole exchange. Default 10000. */
  readonly timeoutMs?: number;
}

/** Never rejects. True as soon as one webhook took it; the others may still try. False: none took it, or none is set. */
export async function sendToWebhooks(options: WebhookOptions, all: readonly Delivery[]): Promise<boolean> {
  const { webhooks, withValues } = options;
  const deliveries = all.map(({ state, notification }) => ({
    state,
    notification: withValues ? { ...notification, message: wholeMessage(notification) } : notification,
  }));
  const results = webhooks.map(async (webhook) => {
    if (!(await deliver(options, webhook, deliveries))) throw new Error(`${webhook.name} did not take it`);
  });
  return await Promise.any(results).then(
    () => true,
    () => false,
  );
}

async function deliver(
  options: WebhookOptions,
  webhook: WebhookConfig,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const { logger, scrub, onResult, timeoutMs = 10_000 } = options;
  const text = lines(deliveries, options);
  const body = scrub(
    JSON.stringify(webhook.format === 'slack' ? slackBody(text) : jsonBody(deliveries, text, options)),
  );
  const failure = await postJson({
    url: webhook.url.reveal(),
    body,
    timeoutMs,
    proxy: webhook.proxy?.reveal(),
  });
  if (failure !== undefined) logger.warn({ event: 'webhook.failed', webhook: webhook.name, error: failure });
  else logger.info({ event: 'webhook.sent', webhook: webhook.name, messages: deliveries.length });
  onResult?.(webhook.name, failure === undefined);
  return failure === undefined;
}

type Origin = Pick<WebhookOptions, 'environment' | 'host'>;

function jsonBody(
  deliveries: readonly Delivery[],
  text: readonly string[],
  { environment, host = hostname() }: Origin,
) {
  return {
    source: 'airank-warehouse',
    host,
    environment: environment ?? null,
    text: text.join('\n'),
    notices: deliveries.map(({ state, notification }) => ({
      state,
      kind: notification.kind,
      cause: notification.cause,
      account: notification.account ?? null,
      message: notification.message,
      since: notification.since.toISOString(),
      over_at: state === 'over' ? (notification.overAt?.toISOString() ?? null) : null,
    })),
  };
}

/** `airank production/web-3 ✗ …`. */
function lines(
  deliveries: readonly Delivery[],
  { environment, host = hostname() }: Origin,
): readonly string[] {
  const where = environment === undefined ? host : `${environment}/${host}`;
  const marks = { trouble: '✗', over: '✓ over:', news: 'ℹ' } as const;
  return firstLines(
    deliveries.map(({ state, notification }) => `airank ${where} ${marks[state]} ${notification.message}`),
  );
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
