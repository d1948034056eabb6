// Sends each channel what it did not take yet. What became of a message is noted before the next one is sent.
import type { Logger } from '../core/logger.ts';
import type { Channel, Message } from './channels.ts';

/** Minutes by which the pause after a failure grows each time, up to an hour. */
export const restMinutes = 5;
export const mostRests = 12;
export const restMs = (attempts: number) => Math.min(attempts, mostRests) * restMinutes * 60_000;

export interface Outgoing {
  readonly message: Message;
  readonly what: 'alerts' | 'digest' | 'incidents';
  readonly messages: number;
  /** @param error undefined: the channel took it */
  note(error: string | undefined): Promise<void> | void;
}

interface DeliverOptions {
  readonly logger: Logger;
  /** Messages for a channel, the next one read after the one before was noted. */
  due(channel: string): AsyncIterable<Outgoing>;
  /** Asked before each message: false after a stop, and when another process may be sending the same. */
  readonly maySend?: () => Promise<boolean>;
  readonly onWebhook?: (webhook: string, delivered: boolean) => void;
}

export interface Delivered {
  readonly sent: number;
  /** Channels that did not take theirs, with the reason; they are tried again. */
  readonly failed: readonly { readonly channel: string; readonly error: string }[];
}

/** Sends to all channels side by side, so that one that hangs holds up no other. */
export async function deliver(channels: readonly Channel[], options: DeliverOptions): Promise<Delivered> {
  const results = await Promise.all(channels.map((channel) => deliverTo(channel, options)));
  return {
    sent: results.reduce((sum, { sent }) => sum + sent, 0),
    failed: results.flatMap(({ channel, error }) => (error === undefined ? [] : [{ channel, error }])),
  };
}

async function deliverTo({ name, kind, send }: Channel, options: DeliverOptions) {
  const { logger, due, maySend, onWebhook } = options;
  let sent = 0;
  for await (const { message, what, messages, note } of due(name)) {
    if (maySend !== undefined && !(await maySend())) break;
    const error = await send(message);
    if (error === undefined) logger.info({ event: 'delivery.sent', channel: name, what, messages });
    else logger.warn({ event: 'delivery.failed', channel: name, what, error });
    if (kind === 'webhook') onWebhook?.(name, error === undefined);
    await note(error);
    // A channel that refused one message would refuse the others.
    if (error !== undefined) return { channel: name, sent, error };
    sent += 1;
  }
  return { channel: name, sent, error: undefined };
}
