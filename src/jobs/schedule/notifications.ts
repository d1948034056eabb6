// Tells people of incidents and of their end: each channel at most once a day of a cause, also over restarts. What is to be
// told is stored before it is sent.
import { hostname } from 'node:os';
import { type Clock, endWithin } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Channel, Message } from '../../mail/channels.ts';
import { type StoredIncident, wholeMessage } from '../../status/stored-incidents.ts';
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

/** Never rejects. True: the channel took it. */
export async function sendIncidents(
  { name, kind, send }: Channel,
  deliveries: readonly Delivery[],
  options: SendOptions,
): Promise<boolean> {
  const { logger, onResult } = options;
  const error = await send(incidentsMessage(deliveries, options));
  const where = kind === 'webhook' ? { webhook: name } : { address: name };
  if (error !== undefined) logger.warn({ event: `${kind}.failed`, ...where, error });
  else logger.info({ event: `${kind}.sent`, ...where, messages: deliveries.length });
  if (kind === 'webhook') onResult?.(name, error === undefined);
  return error === undefined;
}

const marks = { open: '✗', over: '✓ over:', news: 'ℹ' } as const;

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
      incidents: deliveries.map(({ state, notification, message }) => ({
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
  readonly state: 'open' | 'over' | 'news';
  readonly notification: StoredIncident;
}

interface NotificationsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** As the configuration has them now. */
  channels(): readonly Channel[];
  load(): Promise<readonly StoredIncident[]>;
  save(notifications: readonly StoredIncident[]): Promise<void>;
  /** Never rejects. False: the channel did not take it. */
  send(channel: Channel, deliveries: readonly Delivery[]): Promise<boolean>;
}

interface Notifications {
  note(findings: Findings): void;
  /** Notes and stores it, after what an earlier process stored. Rejects without the database. */
  store(findings: Findings): Promise<void>;
  /** Tells each channel what is due there, and stores that it is to be told, and that it was. Never rejects. */
  deliver(): Promise<void>;
  lasting(): readonly StoredIncident[];
}

/** As long as the table has them. */
const storedMs = 30 * dayMs;
/** For the database, before a message goes out without it. */
const answerMs = 10_000;
/** A channel that fails again is left alone for so much longer each time, an hour at most. */
const restMs = 5 * 60_000;
const mostRests = 12;

/** One call after another; a call that waits also does what came since. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}

/** They live in memory, and in the database while that answers. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { clock, logger } = options;
  const notifications = new Map<string, StoredIncident>();
  const unsaved = new Set<string>();
  const senders = new Map<string, () => Promise<void>>();
  let loaded = false;

  const put = (notification: StoredIncident) => {
    notifications.set(notification.cause, notification);
    unsaved.add(notification.cause);
  };

  const begin = (incident: Incident) => {
    const known = notifications.get(incident.cause);
    const { deliveredAt, channels = {} } = known ?? {};
    if (isNews(incident)) {
      const now = new Date(clock.now());
      // Seen again, it is stored for longer; once a day is enough.
      if (known?.overAt === undefined || clock.now() - known.overAt.getTime() > dayMs) {
        const since = known?.since ?? now;
        put({ ...incident, since, overAt: now, deliveredAt, endDeliveredAt: undefined, channels });
      }
      return;
    }
    const lasts = known !== undefined && known.overAt === undefined;
    const same = known?.message === incident.message && known.detail === incident.detail;
    if (lasts && same && known.kind === incident.kind) return;
    const since = lasts ? known.since : new Date(clock.now());
    const endDeliveredAt = known?.endDeliveredAt;
    put({ ...incident, since, overAt: undefined, deliveredAt, endDeliveredAt, channels });
    if (!lasts)
      logger.warn({
        event: 'incident.opened',
        cause: incident.cause,
        kind: incident.kind,
        message: incident.message,
      });
  };

  const end = (notification: StoredIncident) => {
    put({ ...notification, overAt: new Date(clock.now()) });
    logger.info({ event: 'incident.over', cause: notification.cause, kind: notification.kind });
  };

  const note = ({ checked, incidents }: Findings) => {
    for (const incident of incidents) begin(incident);
    const found = new Set(incidents.map((incident) => incident.cause));
    for (const notification of notifications.values()) {
      if (notification.overAt === undefined && checked(notification.cause) && !found.has(notification.cause))
        end(notification);
    }
  };

  /** Rows of an earlier process, unless this process has newer ones. */
  const load = async () => {
    if (loaded) return;
    for (const stored of await options.load()) {
      const own = notifications.get(stored.cause);
      const { deliveredAt = stored.deliveredAt, endDeliveredAt = stored.endDeliveredAt } = own ?? {};
      const toldHere = Object.entries(own?.channels ?? {}).filter(([, told]) => told.told_at !== undefined);
      const channels = { ...stored.channels, ...Object.fromEntries(toldHere) };
      notifications.set(stored.cause, { ...(own ?? stored), deliveredAt, endDeliveredAt, channels });
    }
    loaded = true;
  };

  // One after another: an older state must not overwrite a newer one.
  const save = oneAtATime(async () => {
    const some = [...unsaved].flatMap((cause) => notifications.get(cause) ?? []);
    await options.save(some);
    for (const notification of some)
      if (notifications.get(notification.cause) === notification) unsaved.delete(notification.cause);
    for (const { cause, overAt } of notifications.values()) {
      const isOld = overAt !== undefined && clock.now() - overAt.getTime() > storedMs;
      if (isOld && !unsaved.has(cause)) notifications.delete(cause);
    }
  });
  /** That the database is away is told without it, also where its connection hangs. */
  const attempt = (work: Promise<void>, event: string) =>
    endWithin(
      clock,
      work.catch((error: unknown) => logger.debug({ event, err: error })),
      answerMs,
    );
  const trySave = () => attempt(save(), 'incidents.not_saved');

  /** A channel that is new begins with what the others were told. */
  const open = ({ name }: Channel) => {
    for (const notification of notifications.values()) {
      const { channels, deliveredAt, endDeliveredAt } = notification;
      if (Object.hasOwn(channels, name)) continue;
      const told = { told_at: deliveredAt?.toISOString(), told_over_at: endDeliveredAt?.toISOString() };
      put({ ...notification, channels: { ...channels, [name]: told } });
    }
  };

  const senderOf = ({ name }: Channel) => {
    let failures = 0;
    let restsUntilMs = 0;
    return oneAtATime(async () => {
      const channel = options.channels().find((one) => one.name === name);
      const due = [...notifications.values()].flatMap((one) => deliveriesOf(one, name, clock.now()));
      if (channel === undefined || due.length === 0 || clock.now() < restsUntilMs) return;
      if (!(await options.send(channel, due))) {
        restsUntilMs = clock.now() + Math.min(failures, mostRests) * restMs;
        failures += 1;
        return;
      }
      failures = 0;
      const now = new Date(clock.now());
      for (const { state, notification } of due) {
        const current = notifications.get(notification.cause) ?? notification;
        const isEnd = state === 'over';
        const told = isEnd ? { endDeliveredAt: now } : { deliveredAt: now };
        const there = isEnd ? { told_over_at: now.toISOString() } : { told_at: now.toISOString() };
        const channels = { ...current.channels, [name]: { ...current.channels[name], ...there } };
        put({ ...current, ...told, channels });
      }
      await trySave();
    });
  };

  return {
    note,
    async store(findings) {
      await load();
      note(findings);
      await save();
    },
    async deliver() {
      await attempt(load(), 'incidents.not_loaded');
      const channels = options.channels();
      for (const channel of channels) open(channel);
      await trySave();
      // Each by itself: one that hangs holds up no other.
      await Promise.all(
        channels.map((channel) => {
          const sender = senders.get(channel.name) ?? senderOf(channel);
          senders.set(channel.name, sender);
          return sender();
        }),
      );
    },
    lasting: () => [...notifications.values()].filter((notification) => notification.overAt === undefined),
  };
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'drift' || kind === 'warning';
}

/** News are sent once. An incident is sent unless it was within a day; its end, if the incident was sent after the last end. */
function deliveriesOf(notification: StoredIncident, channel: string, nowMs: number): Delivery[] {
  const own = notification.channels[channel];
  // Not stored yet: the next look sends it.
  if (own === undefined) return [];
  const { told_at: told, told_over_at: toldOver } = own;
  if (isNews(notification)) return told === undefined ? [{ state: 'news', notification }] : [];
  if (notification.overAt === undefined) {
    const isRecent = told !== undefined && nowMs - Date.parse(told) < dayMs;
    return isRecent ? [] : [{ state: 'open', notification }];
  }
  const isDue = told !== undefined && (toldOver === undefined || Date.parse(toldOver) < Date.parse(told));
  return isDue ? [{ state: 'over', notification }] : [];
}
