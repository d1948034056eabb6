// Sends messages to webhooks: generic JSON, or the form that Slack and similar services take. Never rejects.
import { hostname } from 'node:os';
import type { WebhookConfig } from '../../config/config.ts';
import { postJson } from '../../core/http.ts';
import type { Logger } from '../../core/logger.ts';
import { firstLines, slackBody } from '../../core/text.ts';
import { wholeMessage } from '../../status/notices.ts';
import type { Told } from './notice-book.ts';

export interface WebhookOptions {
  readonly webhooks: readonly WebhookConfig[];
  readonly logger: Logger;
  /** Removes every secret from a text. */
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
export async function sendToWebhooks(options: WebhookOptions, all: readonly Told[]): Promise<boolean> {
  const { webhooks, withValues } = options;
  const told = all.map(({ state, notice }) => ({
    state,
    notice: withValues ? { ...notice, message: wholeMessage(notice) } : notice,
  }));
  const deliveries = webhooks.map(async (webhook) => {
    if (!(await deliver(options, webhook, told))) throw new Error(`${webhook.name} did not take it`);
  });
  return await Promise.any(deliveries).then(
    () => true,
    () => false,
  );
}

async function deliver(
  options: WebhookOptions,
  webhook: WebhookConfig,
  told: readonly Told[],
): Promise<boolean> {
  const { logger, scrub, onResult, timeoutMs = 10_000 } = options;
  const said = lines(told, options);
  const body = scrub(
    JSON.stringify(webhook.format === 'slack' ? slackBody(said) : jsonBody(told, said, options)),
  );
  const failure = await postJson({
    url: webhook.url.reveal(),
    body,
    timeoutMs,
    proxy: webhook.proxy?.reveal(),
  });
  if (failure !== undefined) logger.warn({ event: 'webhook.failed', webhook: webhook.name, error: failure });
  else logger.info({ event: 'webhook.sent', webhook: webhook.name, messages: told.length });
  onResult?.(webhook.name, failure === undefined);
  return failure === undefined;
}

type Origin = Pick<WebhookOptions, 'environment' | 'host'>;

function jsonBody(
  told: readonly Told[],
  said: readonly string[],
  { environment, host = hostname() }: Origin,
) {
  return {
    source: 'airank-warehouse',
    host,
    environment: environment ?? null,
    text: said.join('\n'),
    notices: told.map(({ state, notice }) => ({
      state,
      kind: notice.kind,
      cause: notice.cause,
      account: notice.account ?? null,
      message: notice.message,
      since: notice.since.toISOString(),
      over_at: state === 'over' ? (notice.overAt?.toISOString() ?? null) : null,
    })),
  };
}

/** `airank production/web-3 ✗ …`. */
function lines(told: readonly Told[], { environment, host = hostname() }: Origin): readonly string[] {
  const where = environment === undefined ? host : `${environment}/${host}`;
  const marks = { trouble: '✗', over: '✓ over:', news: 'ℹ' } as const;
  return firstLines(told.map(({ state, notice }) => `airank ${where} ${marks[state]} ${notice.message}`));
}
