// Channels for messages to people: webhooks, each in its form, and mail addresses.
import type { Config, SmtpConfig, WebhookConfig } from '../config/config.ts';
import { messageOf } from '../core/errors.ts';
import { postJson } from '../core/http.ts';

import { sendMail } from './send-mail.ts';

export interface Message {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Returns the last line for a channel that does not take all lines. */
  more?(hidden: number): string;
  /** For generic webhooks, with `text` added: at the end, unless it has a place here. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Its `send` never rejects. */
export interface Channel {
  readonly name: string;
  readonly kind: 'webhook' | 'mail';
  /** Returns why it was not taken; undefined: it was. */
  send(message: Message): Promise<string | undefined>;
}

interface ChannelOptions {
  readonly scrub: (text: string) => string;
  /** For a whole exchange with a webhook. Default 10000. */
  readonly timeoutMs?: number;
}

/** All webhooks, and the mail addresses that hear of alerts. */
export function incidentChannels({
  webhooks,
  alerts,
}: Pick<Config, 'webhooks' | 'alerts'>): readonly string[] {
  return [...webhooks.map(({ name }) => name), ...alerts.to];
}

/** @param names of webhooks, and mail addresses; each once */
export function createChannels(
  { webhooks, smtp }: Pick<Config, 'webhooks' | 'smtp'>,
  names: readonly string[],
  options: ChannelOptions,
): readonly Channel[] {
  return [...new Set(names)].flatMap((name): Channel[] => {
    const webhook = webhooks.find((one) => one.name === name);
    if (webhook !== undefined) return [webhookChannel(webhook, options)];
    // Without the settings of mails the configuration is refused.
    return smtp === undefined ? [] : [mailChannel(name, smtp, options)];
  });
}

function webhookChannel({ name, url, format, proxy }: WebhookConfig, options: ChannelOptions): Channel {
  const { scrub, timeoutMs = 10_000 } = options;
  return {
    name,
    kind: 'webhook',
    send: async ({ lines, json, more }) => {
      const some = firstLines(lines, more);
      const body = format === 'slack' ? slackBody(some) : { ...json, text: some.join('\n') };
      const failure = await postJson({
        url: url.reveal(),
        body: scrub(JSON.stringify(body)),
        timeoutMs,
        proxy: proxy?.reveal(),
      });
      return failure === undefined ? undefined : scrub(failure);
    },
  };
}

function mailChannel(address: string, smtp: SmtpConfig, { scrub }: ChannelOptions): Channel {
  return {
    name: address,
    kind: 'mail',
    send: async ({ subject, lines }) => {
      const text = `${lines.join('\n')}\n`;
      try {
        const { refused } = await sendMail(smtp, {
          to: [address],
          subject: scrub(subject),
          text: scrub(text),
        });
        return refused.length > 0 ? 'the server refused the address' : undefined;
      } catch (error) {
        return scrub(messageOf(error));
      }
    },
  };
}

const mostLines = 30;

/** Returns the first lines and counts the others: nobody reads an endless message. */
export function firstLines(
  all: readonly string[],
  more = (hidden: number) => `… and ${hidden} more`,
): readonly string[] {
  return all.length <= mostLines ? all : [...all.slice(0, mostLines), more(all.length - mostLines)];
}

/** Words a message for Slack, Mattermost and Rocket.Chat; the three characters of markup are escaped. */
function slackBody(lines: readonly string[]): { readonly text: string } {
  const escaped = lines.map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return { text: escaped.join('\n') };
}
