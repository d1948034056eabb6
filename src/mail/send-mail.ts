// Sends one mail by SMTP. Takes the content as it is: nothing is read from files or from the web for it.

import { parseMailAddress, parseSmtpUrl, type SmtpServer } from '../config/addresses.ts';
import type { SmtpConfig } from '../config/config.ts';
import { secretsInSmtpUrl } from '../config/secrets-of.ts';
import { limitTime } from '../core/clock.ts';
import { AirankError, messageOf } from '../core/errors.ts';
import { replaceSecrets } from '../core/replace-secrets.ts';
import { oneLine } from '../core/text.ts';

/**
 * `unreachable`: no connection, or it broke; `encryption`: TLS is not offered, or its certificate is not trusted;
 * `login`: user and password are refused; `refused`: the server does not take the mail; `message`: it cannot be
 * written.
 */
type MailFailure = 'unreachable' | 'encryption' | 'login' | 'refused' | 'message';

export class MailError extends AirankError {
  readonly failure: MailFailure;
  /** False: the same mail would fail again. */
  readonly worthRetry: boolean;

  constructor(message: string, failure: MailFailure, worthRetry: boolean) {
    super(message);
    this.failure = failure;
    this.worthRetry = worthRetry;
  }
}

/** Parts of an error of the mail library that tell what it means. */
interface Known {
  readonly code: string;
  readonly status: number | undefined;
  /** The server's words, on one line. */
  readonly said: string;
}

function read(error: unknown): Known {
  const part = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  const [code, status, response] = [part('code'), part('responseCode'), part('response')];
  const said = typeof response === 'string' && response !== '' ? response : messageOf(error);
  return {
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : undefined,
    said: said
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 200),
  };
}

/** Never repeats user or password. @param server as `mail.example.com:587` @param scrub removes secrets */
function readMailFailure(error: unknown, server: string, scrub: (text: string) => string): MailError {
  const { code, status, said: unscrubbed } = read(error);
  const said = scrub(unscrubbed);
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH': {
      // A server's answer to a login may repeat it in any form.
      const answer =
        status === undefined ? 'it offers no login method that can be used' : `it answered ${status}`;
      const fix = 'Check user and password in AIRANK_SMTP_URL, which must be percent-encoded';
      const later = status !== undefined && status < 500;
      return new MailError(`The mail server ${server} refused the login: ${answer}. ${fix}`, 'login', later);
    }
    case 'ETLS': {
      const fix = 'Use smtps:// with its port, or have the server offer STARTTLS with a trusted certificate';
      const text = `Expected the mail server ${server} to offer an encrypted connection, got: ${said}. ${fix}`;
      return new MailError(text, 'encryption', false);
    }
    case 'EENVELOPE':
    case 'EMESSAGE':
    case 'EMAXRECIPIENTS': {
      const later = status !== undefined && status < 500;
      const fix = 'Check AIRANK_MAIL_FROM and the addresses';
      return new MailError(`The mail server ${server} refused the mail: ${said}. ${fix}`, 'refused', later);
    }
    case 'EFILEACCESS':
    case 'EURLACCESS':
    case 'ESTREAM':
      return new MailError(`The mail cannot be written: ${said}`, 'message', false);
    case 'ESOCKET':
      if (/certificate|self.signed|altname|issuer/i.test(said)) {
        const fix = 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority';
        const text = `Expected the mail server ${server} to show a trusted certificate, got: ${said}. ${fix}`;
        return new MailError(text, 'encryption', false);
      }
  }
  const fix = 'Check host and port in AIRANK_SMTP_URL';
  return new MailError(`Cannot reach the mail server ${server}: ${said}. ${fix}`, 'unreachable', true);
}

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
  readonly type: string;
  readonly content: string | Uint8Array;
}

interface SendOptions {
  readonly signal?: AbortSignal;
  /** For the connection, and for each answer of the server. Default 20000. */
  readonly timeoutMs?: number;
  /** For the whole mail. Default 120000. */
  readonly wholeTimeoutMs?: number;
}

interface SentMail {
  readonly refused: readonly string[];
}

const mostSubject = 200;

/** @throws MailError where the server took the mail for nobody */
export async function sendMail(smtp: SmtpConfig, mail: Mail, options: SendOptions = {}): Promise<SentMail> {
  const parsed = parseSmtpUrl(smtp.url.reveal());
  if (!parsed.ok)
    throw new MailError('AIRANK_SMTP_URL is not an smtp:// or smtps:// address', 'unreachable', false);
  const { value: server } = parsed;
  const [from, to] = [addressOf(smtp.from), mail.to.map(addressOf)];
  if (to.length === 0) throw new MailError('The mail has no receiver', 'message', false);
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
