// The address of the server that takes mails. Never shown in a message: it usually holds a password.
import { plural } from '../core/text.ts';
import { isLoopbackHost } from './base-url.ts';
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /**
   * `from_start`: smtps://. `upgrade`: smtp://, encrypted before anything is said (STARTTLS), or not used at all.
   * `if_offered`: smtp:// to a loopback host.
   */
  readonly tls: 'from_start' | 'upgrade' | 'if_offered';
  readonly login: { readonly user: string; readonly password: Secret } | undefined;
}

export type SmtpUrlResult =
  | { readonly ok: true; readonly server: SmtpServer }
  | { readonly ok: false; readonly hints: FaultHints };

const encode = 'Percent-encode special characters in user and password (@ is %40, # is %23, / is %2F).';

function refused(got: string, fix?: string): SmtpUrlResult {
  return { ok: false, hints: { got, ...(fix !== undefined && { fix }) } };
}

/** `smtp://user:password@host:587`, `smtps://user:password@host:465`; ports 587 and 465 where none is named. */
export function parseSmtpUrl(text: string): SmtpUrlResult {
  if (!/^smtps?:\/\//i.test(text))
    return refused(`a text of ${plural(text.length, 'character')} that is none`);
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) {
    return refused('an address that does not parse (not shown, it may hold a password)', encode);
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === '') return refused('an address without a host');
  if (pathname.replace('/', '') !== '' || search !== '' || hash !== '') {
    return refused('an address with something after the port', encode);
  }
  if ((username === '') !== (password === '')) {
    return refused('an address with one of user and password', 'Give both, or none.');
  }
  const isEncrypted = protocol === 'smtps:';
  try {
    const [user, plain] = [username, password].map(decodeURIComponent);
    if (/\p{Cc}/u.test(`${user}${plain}`)) return refused('a control character in user or password');
    return {
      ok: true,
      server: {
        host: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
        tls: isEncrypted ? 'from_start' : isLoopbackHost(hostname) ? 'if_offered' : 'upgrade',
        login: user && plain ? { user, password: new Secret(plain) } : undefined,
      },
    };
  } catch {
    return refused('an address with a broken percent sign in it', encode);
  }
}
