import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/config.ts';
import { type Mail, MailError, sendMail } from '../../src/mail/send-mail.ts';
import { closing } from '../support/closing.ts';
import { selfSigned } from '../support/self-signed.ts';
import { type SmtpServer, type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';

const hello: Mail = { to: ['one@example.com'], subject: 'Report', text: 'Hello' };

const kept = closing();
let server: SmtpServer;

async function smtpTo(options: SmtpServerOptions = {}, login = '', scheme = 'smtp') {
  server = kept(await startSmtpServer(options));
  const url = new Secret(`${scheme}://${login}127.0.0.1:${server.port}`);
  return { url, from: 'Agency <reports@example.com>' };
}

async function failureOf(sending: Promise<unknown>): Promise<MailError> {
  const error: unknown = await sending.catch((one: unknown) => one);
  if (error instanceof MailError) return error;
  throw new Error('it did not fail as a mail', { cause: error });
}

/** Headers unfolded, by lower-case name. */
function headersOf(source: string): Map<string, string> {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ');
  return new Map(head.split('\r\n').map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line]));
}

describe('sendMail', () => {
  it('sends text, HTML and files to each address', async () => {
    const smtp = await smtpTo({ login: { user: 'agency', password: 'pass word' } }, 'agency:pass%20word@');
    const to = ['one@example.com', 'Two <two@example.com>'];
    const file = { fileName: 'report.html', type: 'text/html', content: '<p>ñ</p>' };
    const sent = await sendMail(smtp, { ...hello, to, html: '<p>Hello</p>', attachments: [file] });
    expect(sent).toEqual({ refused: [] });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'reports@example.com', to: ['one@example.com', 'two@example.com'] });
    expect(mail?.source).toContain('filename=report.html');
    expect(mail?.source).toContain(Buffer.from('<p>ñ</p>').toString('base64'));
    expect(headersOf(mail?.source ?? '').get('from')).toBe('From: Agency <reports@example.com>');
  });

  it('lets no text of the data begin another header', async () => {
    const smtp = await smtpTo();
    const subject = 'Café\r\nBcc: thief@example.com\r\n\r\n<script>';
    const fileName = 'a/b\r\nX-Evil: 1.html';
    const file = { fileName, type: 'text/html', content: '' };
    await sendMail(smtp, { ...hello, subject, attachments: [file] });
    const source = server.mails[0]?.source ?? '';
    expect(source).not.toMatch(/^(Bcc|X-Evil):/im);
    expect(source).toMatch(/filename="?a-b/);
    expect(server.mails[0]?.to).toEqual(['one@example.com']);
    expect(headersOf(source).get('subject')).toMatch(/^Subject: =\?UTF-8\?/);
  });

  it.each(['a@example.com\r\nBcc: b@example.com', 'a@example.com, b@example.com', 'nobody', '<a@b> c@d'])(
    'refuses the address %j before it asks a server',
    async (address) => {
      const smtp = await smtpTo();
      const error = await failureOf(sendMail(smtp, { ...hello, to: [address] }));
      expect(error).toMatchObject({ failure: 'message', worthRetry: false });
      expect(server.lines).toEqual([]);
    },
  );

  it('says that a login is refused, and repeats neither user nor password of the answer', async () => {
    const smtp = await smtpTo({ login: { user: 'agency', password: 'right' } }, 'agency:wr0ng-secret@');
    const error = await failureOf(sendMail(smtp, hello));
    expect(error).toMatchObject({ failure: 'login', worthRetry: false });
    expect(error.message).toMatch(/refused the login: it answered 535\. Check user and password in AIRANK_/);
    expect(error.message).not.toMatch(/wr0ng|YWdlbmN5/);
    expect(error.cause).toBeUndefined();
  });

  it('names the addresses that a server refuses while it takes others', async () => {
    const smtp = await smtpTo({ refuses: ['gone@example.com'] });
    const sent = await sendMail(smtp, { ...hello, to: ['gone@example.com', 'one@example.com'] });
    expect(sent).toEqual({ refused: ['gone@example.com'] });
    expect(server.mails.map(({ to }) => to)).toEqual([['one@example.com']]);
  });

  it.each([
    ['550 spam', false],
    ['451 try later', true],
  ])('tells what a server refuses for good from what it refuses for now: %s', async (answer, worthRetry) => {
    const smtp = await smtpTo({ answer });
    const error = await failureOf(sendMail(smtp, hello));
    expect(error).toMatchObject({ failure: 'refused', worthRetry });
    expect(error.message).toContain(answer);
  });

  it('trusts no certificate that nobody signed', async () => {
    const smtp = await smtpTo({ certificate: selfSigned() });
    const error = await failureOf(sendMail(smtp, hello));
    expect(error).toMatchObject({ failure: 'encryption', worthRetry: false });
    expect(error.message).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/);
    expect(server.mails).toEqual([]);
  });

  it('says nothing to a server away from here that offers no encryption', async () => {
    const smtp = await smtpTo();
    // Another name of the loopback, which is not among those that stay unencrypted.
    const url = new Secret(`smtp://agency:secret-pass@0.0.0.0:${server.port}`);
    const error = await failureOf(sendMail({ ...smtp, url }, hello));
    expect(error).toMatchObject({ failure: 'encryption', worthRetry: false });
    expect(server.lines.filter((line) => /^(AUTH|MAIL|DATA)/.test(line))).toEqual([]);
  });

  it('gives up on a server that says nothing, and on a port where none is', async () => {
    const smtp = await smtpTo({ isSilent: true });
    const silent = await failureOf(sendMail(smtp, hello, { timeoutMs: 200 }));
    expect(silent).toMatchObject({ failure: 'unreachable', worthRetry: true });
    const whole = await failureOf(sendMail(smtp, hello, { wholeTimeoutMs: 200 }));
    expect(whole).toMatchObject({ failure: 'unreachable', worthRetry: true });
    await server.close();
    const gone = await failureOf(sendMail(smtp, hello));
    expect(gone.message).toMatch(/^Cannot reach the mail server 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });
});
