// What an error of the mail library means, by its code and the server's status. Never repeats user or password.
import { messageOf } from '../core/errors.ts';
import { MailError } from './mail-error.ts';

interface Known {
  readonly code: string;
  readonly status: number | undefined;
  /** What the server said, on one line. */
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

/** @param server as `mail.example.com:587` @param scrub removes secrets */
export function readMailFailure(error: unknown, server: string, scrub: (text: string) => string): MailError {
  const { code, status, said: unscrubbed } = read(error);
  const said = scrub(unscrubbed);
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH': {
      // What a server says to a login may repeat it in any form.
      const answer = status === undefined ? 'it offers no login that can be used' : `it answered ${status}`;
      const fix = 'Check user and password in AIRANK_SMTP_URL, percent-encoded';
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
        const fix = 'NODE_EXTRA_CA_CERTS names a file with the authority that signed it';
        const text = `Expected the mail server ${server} to show a trusted certificate, got: ${said}. ${fix}`;
        return new MailError(text, 'encryption', false);
      }
  }
  const fix = 'Check host and port in AIRANK_SMTP_URL';
  return new MailError(`Cannot reach the mail server ${server}: ${said}. ${fix}`, 'unreachable', true);
}
