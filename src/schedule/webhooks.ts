// Sends messages to webhooks: generic JSON, or the form that Slack and similar services take. Never rejects.
import type { WebhookConfig } from '../config/config.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
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

const mostLines = 30;

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
  const body = scrub(JSON.stringify(webhook.format === 'slack' ? slackBody(told) : jsonBody(told)));
  const failure = await post(webhook.url.reveal(), body, timeoutMs);
  if (failure !== undefined) logger.warn({ event: 'webhook.failed', webhook: webhook.name, error: failure });
  else logger.info({ event: 'webhook.sent', webhook: webhook.name, messages: told.length });
  onResult?.(webhook.name, failure === undefined);
  return failure === undefined;
}

/** Undefined: taken. A redirect is not followed: the message is for this address. */
async function post(url: string, body: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
  }
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

function slackBody(told: readonly Told[]) {
  // The three characters that Slack takes for markup.
  const escaped = lines(told).map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return { text: escaped.join('\n') };
}

function lines(told: readonly Told[]): string[] {
  const marks = { trouble: '✗', over: '✓ over:', news: 'ℹ' } as const;
  const all = told.map(({ state, notice }) => `airank ${marks[state]} ${notice.message}`);
  return all.length <= mostLines ? all : [...all.slice(0, mostLines), `… and ${all.length - mostLines} more`];
}
