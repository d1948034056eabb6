// Sends messages to webhooks: generic JSON, or the form that Slack and similar services take. Never rejects.
import type { WebhookConfig } from '../config/config.ts';
import type { Logger } from '../core/logger.ts';
import { postJson } from '../core/post-json.ts';
import { firstLines, slackBody } from '../core/slack-text.ts';
import { wholeMessage } from '../warehouse/reports/notices.ts';
import type { Told } from './notice-book.ts';

export interface WebhookOptions {
  readonly webhooks: readonly WebhookConfig[];
  readonly logger: Logger;
  /** Removes every secret from a text. */
  readonly scrub: (text: string) => string;
  readonly onResult?: (webhook: string, delivered: boolean) => void;
  /** Quotes values of the data, and what a server answered. */
  readonly withValues: boolean;
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
  const body = scrub(JSON.stringify(webhook.format === 'slack' ? slackBody(lines(told)) : jsonBody(told)));
  const failure = await postJson(webhook.url.reveal(), body, timeoutMs);
  if (failure !== undefined) logger.warn({ event: 'webhook.failed', webhook: webhook.name, error: failure });
  else logger.info({ event: 'webhook.sent', webhook: webhook.name, messages: told.length });
  onResult?.(webhook.name, failure === undefined);
  return failure === undefined;
}

function jsonBody(told: readonly Told[]) {
  return {
    source: 'airank-warehouse',
    text: lines(told).join('\n'),
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

function lines(told: readonly Told[]): readonly string[] {
  const marks = { trouble: '✗', over: '✓ over:', news: 'ℹ' } as const;
  return firstLines(told.map(({ state, notice }) => `airank ${marks[state]} ${notice.message}`));
}
