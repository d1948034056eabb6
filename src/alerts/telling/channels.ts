// Where messages go: the webhooks and mail addresses of `alerts.to`. A channel never rejects.
import type { Config, SmtpConfig, WebhookConfig } from '../../config/config.ts';
import { messageOf } from '../../core/errors.ts';
import { postJson } from '../../core/http.ts';
import { firstLines, slackBody } from '../../core/text.ts';
import { sendMail } from '../../mail/send-mail.ts';
import type { Message } from './message.ts';

export interface Channel {
  readonly name: string;
  /** Why it was not taken; undefined: it was. */
  send(message: Message): Promise<string | undefined>;
}

export interface ChannelOptions {
  readonly scrub: (text: string) => string;
  /** For a whole exchange with a webhook. Default 10000. */
  readonly timeoutMs?: number;
}

export function createChannels(
  { alerts, webhooks, smtp }: Pick<Config, 'alerts' | 'webhooks' | 'smtp'>,
  options: ChannelOptions,
): readonly Channel[] {
  return alerts.to.flatMap((name): Channel[] => {
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
