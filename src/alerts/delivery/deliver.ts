// Sends each channel what it did not take yet. What a channel took is noted before anything else is sent.
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { Channel } from '../../mail/channels.ts';
import type { Language } from '../judging/words.ts';
import {
  giveUpOld,
  noteDelivery,
  noteDigest,
  readDigestFigures,
  readDueDigests,
  readUndelivered,
} from '../store/deliveries.ts';
import { alertsMessage, digestMessage } from './message.ts';

interface DeliverDeps {
  readonly db: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeZone: string;
  readonly language: Language;
  readonly accounts: readonly string[];
  readonly channels: readonly Channel[];
  /** Asked before each message: false after a stop, and when another process may be sending the same. */
  readonly maySend: () => Promise<boolean>;
}

export interface Delivered {
  readonly sent: number;
  /** Channels that did not take theirs, with the reason; they are tried again. */
  readonly failed: readonly { readonly channel: string; readonly error: string }[];
}

/** Channels side by side: one that hangs holds up none. */
export async function deliver(deps: DeliverDeps): Promise<Delivered> {
  const results = await Promise.all(deps.channels.map((channel) => deliverTo(deps, channel)));
  return {
    sent: results.reduce((sum, { sent }) => sum + sent, 0),
    failed: results.flatMap(({ channel, error }) => (error === undefined ? [] : [{ channel, error }])),
  };
}

async function deliverTo(deps: DeliverDeps, channel: Channel) {
  const { db, clock, logger, timeZone, language, accounts, maySend } = deps;
  const { name } = channel;
  let sent = 0;
  const outcome = (error: string | undefined, messages: number) => {
    if (error === undefined) {
      sent += 1;
      logger.info({ event: 'alerts.told', channel: name, messages });
    } else logger.warn({ event: 'alerts.not_told', channel: name, error });
    return error;
  };
  const today = runDateIn(timeZone, new Date(clock.now()));
  const old = await giveUpOld(db, name, today);
  if (old.alerts > 0) logger.error({ event: 'alerts.given_up', channel: name, ...old });
  // Each portion is noted before the next is sent, so that a refusal repeats none of what was taken.
  for (;;) {
    const alerts = await readUndelivered(db, name, today);
    if (alerts.length === 0) break;
    if (!(await maySend())) return { channel: name, sent, error: undefined };
    const error = outcome(await channel.send(alertsMessage(alerts, language)), alerts.length);
    await noteDelivery(db, name, alerts, error);
    // What refused the one would refuse the others.
    if (error !== undefined) return { channel: name, sent, error };
  }
  for (const due of await readDueDigests(db, accounts, name, today)) {
    const message = digestMessage(due, await readDigestFigures(db, due, timeZone), language);
    if (!(await maySend())) break;
    const error = outcome(await channel.send(message), 1);
    await noteDigest(db, name, due, error);
    if (error !== undefined) return { channel: name, sent, error };
  }
  return { channel: name, sent, error: undefined };
}
