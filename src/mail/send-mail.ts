// Sends one mail by SMTP. What stands in it is taken as it is: no file and no address of the web is read for it.
import type { SmtpConfig } from '../config/config.ts';
import { parseMailAddress } from '../config/mail-address.ts';
import { secretsInSmtpUrl } from '../config/secrets-of.ts';
import { parseSmtpUrl, type SmtpServer } from '../config/smtp-url.ts';
import { replaceSecrets } from '../core/known-secrets.ts';
import { oneLine } from '../core/one-line.ts';
import { limitTime } from '../core/time-limit.ts';
import { MailError } from './mail-error.ts';
import { readMailFailure } from './read-mail-failure.ts';

export interface Mail {
  /** Each as `a@example.com` or `Name <a@example.com>`. */
  readonly to: readonly string[];
  /** One line; what cannot stand in a header is left out. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly fileName: string;
  /** `text/html`, `application/pdf`. */
  readonly type: string;
  readonly content: string | Uint8Array;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** For the connection, and for each answer of the server. Default 20000. */
  readonly timeoutMs?: number;
  /** For the whole mail. Default 120000. */
  readonly wholeTimeoutMs?: number;
}

export interface SentMail {
  /** Addresses that the server refused, while it took others. */
  readonly refused: readonly string[];
}

const mostSubject = 200;

/** @throws MailError where the server took the mail for nobody */
export async function sendMail(smtp: SmtpConfig, mail: Mail, options: SendOptions = {}): Promise<SentMail> {
  const parsed = parseSmtpUrl(smtp.url.reveal());
  if (!parsed.ok) throw new MailError('AIRANK_SMTP_URL is no smtp:// address', 'unreachable', false);
  const { server } = parsed;
  const [from, to] = [addressOf(smtp.from), mail.to.map(addressOf)];
  if (to.length === 0) throw new MailError('The mail has no address to go to', 'message', false);
  // Loaded here: most commands send nothing.
  const { createTransport } = await import('nodemailer');
  const limit = limitTime(options.wholeTimeoutMs ?? 120_000, ...[options.signal ?? []].flat());
  const transport = createTransport(transportOptions(server, options.timeoutMs ?? 20_000));
  try {
    const { rejected } = await transport.sendMail({
      from,
      to,
      // A line break would begin another header.
      subject: oneLine(mail.subject, mostSubject),
      text: mail.text,
      ...(mail.html !== undefined && { html: mail.html }),
      attachments: (mail.attachments ?? []).map(({ fileName, type, content }) => ({
        filename: oneLine(fileName, 120).replaceAll(/[/\\]/g, '-'),
        contentType: type,
        content: typeof content === 'string' ? content : Buffer.from(content),
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: limit.signal,
    });
    return { refused: rejected };
  } catch (error) {
    options.signal?.throwIfAborted();
    const scrub = replaceSecrets(secretsInSmtpUrl(smtp.url));
    throw readMailFailure(error, `${server.host}:${server.port}`, scrub);
  } finally {
    limit.release();
    transport.close();
  }
}

function addressOf(text: string) {
  const address = parseMailAddress(text);
  if (address !== undefined) return address;
  const text60 = JSON.stringify(text.slice(0, 60));
  throw new MailError(`Expected a mail address such as a@example.com, got ${text60}`, 'message', false);
}

function transportOptions(server: SmtpServer, timeoutMs: number) {
  const { host, port, tls, login } = server;
  return {
    host,
    port,
    secure: tls === 'from_start',
    requireTLS: tls === 'upgrade',
    ...(login !== undefined && { auth: { user: login.user, pass: login.password.reveal() } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  };
}
