// Tells people of incidents and of their end: each channel at most once a day for a cause, also after
// restarts. Only the news that the database is away needs no database.
import { hostname } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { type Channel, createChannels, incidentChannels, type Message } from '../../mail/channels.ts';
import { deliver, type Outgoing, restMs } from '../../mail/deliver.ts';
import {
  noteIncidents,
  planIncidents,
  readIncidents,
  type StoredIncident,
  saveIncidents,
  type ToldIncident,
} from '../../status/stored-incidents.ts';
import type { Findings, Incident } from './incidents.ts';

const marks = { open: '✗', over: '✓ over:', news: 'ℹ' } as const;

export interface Told {
  readonly state: 'open' | 'over' | 'news';
  readonly incident: StoredIncident;
}

/**
 * Begins each line with the machine that it comes from: `airank web-3 ✗ …`. Contains names, types, numbers and
 * statuses, and no values of the data.
 */
export function incidentsMessage(told: readonly Told[], host = hostname()): Message {
  const lines = told.map(({ state, incident }) => `airank ${host} ${marks[state]} ${incident.message}`);
  return {
    subject: `${lines[0] ?? ''}${lines.length > 1 ? ` (and ${lines.length - 1} more)` : ''}`,
    lines,
    json: {
      source: 'airank-warehouse',
      host,
      text: '',
      incidents: told.map(({ state, incident }) => ({
        state,
        kind: incident.kind,
        cause: incident.cause,
        account: incident.account ?? null,
        message: incident.message,
        since: incident.since.toISOString(),
        over_at: state === 'over' ? (incident.overAt?.toISOString() ?? null) : null,
      })),
    },
  };
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'drift' || kind === 'warning';
}

/** Undefined: the incident stays as it is stored. */
function begun(known: StoredIncident | undefined, incident: Incident, now: Date): StoredIncident | undefined {
  if (isNews(incident)) {
    // Seen again, it is stored for longer; once a day is enough.
    const isRecent = known?.overAt !== undefined && now.getTime() - known.overAt.getTime() <= dayMs;
    return isRecent ? undefined : { ...incident, since: known?.since ?? now, overAt: now };
  }
  const lasts = known !== undefined && known.overAt === undefined;
  const same = known?.message === incident.message && known.detail === incident.detail;
  if (lasts && same && known.kind === incident.kind) return undefined;
  return { ...incident, since: lasts ? known.since : now, overAt: undefined };
}

/** Sends news once, an incident at most once a day, and its end only if its start was sent. */
function dueOf(incident: ToldIncident, nowMs: number): Told[] {
  const { toldAt, toldOverAt, overAt } = incident;
  if (isNews(incident)) return toldAt === undefined ? [{ state: 'news', incident }] : [];
  if (overAt === undefined) {
    const isRecent = toldAt !== undefined && nowMs - toldAt.getTime() < dayMs;
    return isRecent ? [] : [{ state: 'open', incident }];
  }
  const isDue = toldAt !== undefined && (toldOverAt === undefined || toldOverAt < toldAt);
  return isDue ? [{ state: 'over', incident }] : [];
}

/** Runs calls one after another; calls that wait are answered by one run. */
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

interface NotifierOptions {
  readonly db: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
  config(): Pick<Config, 'webhooks' | 'alerts' | 'smtp'>;
  readonly scrub: (text: string) => string;
  readonly onIncidents: (byKind: ReadonlyMap<string, number>) => void;
  readonly onWebhook: (webhook: string, delivered: boolean) => void;
}

export interface Notifier {
  /** Remembers it until the next delivery stores it. */
  note(findings: Findings): void;
  /** Notes and stores it. Rejects without the database. */
  store(findings: Findings): Promise<void>;
  /** Sends each channel what is due. Nothing waits for it: a channel that hangs delays neither a run nor the stop. */
  deliver(): void;
  /** Reports that the database is away, without using it. */
  tellAway(findings: Findings): void;
  /** Drops what is noted and not stored; another process takes over. */
  forget(): void;
  delivering(): Promise<void>;
}

interface Noted {
  readonly findings: Findings;
  readonly at: Date;
}

interface Away {
  readonly noted: Noted;
  readonly incident: StoredIncident;
  /** By channel: when it took the message, and what failed. */
  readonly told: Map<
    string,
    { readonly at: Date | undefined; readonly attempts: number; readonly nextMs: number }
  >;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { db, clock, logger, config, scrub, onWebhook } = options;
  const senders = new Map<string, () => Promise<void>>();
  let noted: readonly Noted[] = [];
  let away: Away | undefined;
  let kinds = new Map<string, number>();
  let delivering: Promise<void> = Promise.resolve();

  const channels = () => createChannels(config(), incidentChannels(config()), { scrub });
  const outgoing = (told: readonly Told[], note: Outgoing['note']): Outgoing => ({
    ...{ what: 'incidents', messages: told.length, message: incidentsMessage(told), note },
  });

  const changes = (known: readonly StoredIncident[], some: readonly Noted[]) => {
    const incidents = new Map(known.map((one) => [one.cause, one]));
    const changed = new Map<string, StoredIncident>();
    const put = (incident: StoredIncident) => {
      incidents.set(incident.cause, incident);
      changed.set(incident.cause, incident);
    };
    for (const { findings, at } of some) {
      for (const incident of findings.incidents) {
        const before = incidents.get(incident.cause);
        const now = begun(before, incident, at);
        if (now === undefined) continue;
        put(now);
        const { cause, kind, message } = incident;
        if (now.overAt === undefined && (before === undefined || before.overAt !== undefined))
          logger.warn({ event: 'incident.opened', cause, kind, message });
      }
      const found = new Set(findings.incidents.map(({ cause }) => cause));
      for (const one of incidents.values()) {
        if (one.overAt !== undefined || !findings.checked(one.cause) || found.has(one.cause)) continue;
        put({ ...one, overAt: at });
        logger.info({ event: 'incident.over', cause: one.cause, kind: one.kind });
      }
    }
    kinds = new Map();
    for (const { kind, overAt } of incidents.values())
      if (overAt === undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    options.onIncidents(kinds);
    return [...changed.values()];
  };

  // One after another: an older state must not overwrite a newer one.
  const flush = oneAtATime(async () => {
    const [some, was] = [noted, away];
    const names = channels().map(({ name }) => name);
    const first = was === undefined ? [] : [was.noted];
    await db.transaction().execute(async (tx) => {
      await saveIncidents(tx, changes(await readIncidents(tx), [...first, ...some]));
      await planIncidents(tx, names);
      for (const [channel, { at }] of was?.told ?? [])
        if (was !== undefined && at !== undefined)
          await noteIncidents(tx, channel, [{ incident: was.incident, isEnd: false }], undefined);
    });
    noted = noted.filter((one) => !some.includes(one));
    if (away === was) away = undefined;
  });

  const senderOf = ({ name }: Channel) =>
    oneAtATime(async () => {
      await deliver(
        channels().filter((channel) => channel.name === name),
        { logger, onWebhook, due },
      );
    });
  async function* due(channel: string): AsyncGenerator<Outgoing, undefined> {
    const told = (await readIncidents(db, channel)).flatMap((one) => dueOf(one, clock.now()));
    const noted = told.map(({ state, incident }) => ({ incident, isEnd: state === 'over' }));
    if (told.length > 0) yield outgoing(told, (error) => noteIncidents(db, channel, noted, error));
  }

  const deliverAll = async () => {
    try {
      await flush();
      // Channels are independent: one that hangs holds up no other.
      await Promise.all(
        channels().map((channel) => {
          const sender = senders.get(channel.name) ?? senderOf(channel);
          senders.set(channel.name, sender);
          return sender();
        }),
      );
    } catch (error) {
      logger.debug({ event: 'incidents.not_stored', err: error });
    }
  };

  async function* dueAway(channel: string): AsyncGenerator<Outgoing, undefined> {
    const { incident, told } = away ?? {};
    if (incident === undefined || told === undefined) return;
    const { attempts, nextMs } = told.get(channel) ?? { attempts: 0, nextMs: 0 };
    if (clock.now() < nextMs) return;
    // Not twice while it is being sent.
    told.set(channel, { at: told.get(channel)?.at, attempts, nextMs: clock.now() + dayMs });
    yield outgoing([{ state: 'open', incident }], (error) => {
      const at = error === undefined ? new Date(clock.now()) : told.get(channel)?.at;
      const next = error === undefined ? dayMs : restMs(attempts + 1);
      told.set(channel, { at, attempts: error === undefined ? 0 : attempts + 1, nextMs: clock.now() + next });
    });
  }

  return {
    note(findings) {
      noted = [...noted, { findings, at: new Date(clock.now()) }];
    },
    async store(findings) {
      const one = { findings, at: new Date(clock.now()) };
      noted = [...noted, one];
      try {
        await flush();
      } catch (error) {
        noted = noted.filter((other) => other !== one);
        throw error;
      }
    },
    deliver() {
      delivering = deliverAll();
    },
    tellAway(findings) {
      const [incident] = findings.incidents;
      if (incident === undefined) return;
      const at = away?.noted.at ?? new Date(clock.now());
      away = {
        noted: { findings, at },
        incident: { ...incident, since: at, overAt: undefined },
        told: away?.told ?? new Map(),
      };
      options.onIncidents(new Map([...kinds, [incident.kind, 1]]));
      delivering = deliver(channels(), { logger, onWebhook, due: dueAway }).then(() => undefined);
    },
    forget() {
      noted = [];
      away = undefined;
    },
    delivering: () => delivering,
  };
}
