// Sends messages to webhooks: generic JSON, or the form that Slack and similar services take. Never rejects.
import { hostname } from 'node:os';
import type { WebhookConfig } from '../../config/config.ts';
import { postJson } from '../../core/http.ts';
import type { Logger } from '../../core/logger.ts';
import { firstLines, slackBody } from '../../core/text.ts';
import { wholeMessage } from '../../status/notifications.ts';
import type { Delivery } from './notifications.ts';

export interface WebhookOptions {
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

/** True as soon as one webhook took it; the others may still try. False: none took it, or none is set. */
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
