// Addresses as settings have them: of servers, mail servers, databases and people.

import { accessSync, constants } from 'node:fs';
import { plural } from '../core/text.ts';
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';

// The address of the API: `{base_url}` without `/api/v1` and a trailing slash (api.md, "Address and key").
type BaseUrlResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly expected: string; readonly hints: FaultHints };

const wanted = 'an https address such as https://api.example.com';

/** True for hosts that never leave the machine: localhost, 127.0.0.0/8 and [::1]. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refused(expected: string, got: string, fix?: string): BaseUrlResult {
  return { ok: false, expected, hints: { got, ...(fix !== undefined && { fix }) } };
}

/** Own read-only properties hide URL's setters, which Object.freeze alone would leave working. */
function freezeUrl(url: URL): URL {
  const parts = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port'] as const;
  for (const part of [...parts, 'pathname', 'search', 'hash'] as const) {
    Object.defineProperty(url, part, { value: url[part], enumerable: true });
  }
  // A detached copy: what is appended to it does not reach the URL.
  Object.defineProperty(url, 'searchParams', { value: new URLSearchParams(), enumerable: true });
  return Object.freeze(url);
}

/**
 * Accepts http and https (http for loopback hosts only) with a path prefix; strips trailing slashes and
 * one `/api/v1`. A refused text is described, never repeated: a key may have been pasted in its place.
 */
export function parseBaseUrl(text: string): BaseUrlResult {
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text)?.[1];
  if (scheme === undefined) {
    return refused(wanted, `a text of ${plural(text.length, 'character')} that does not begin with https://`);
  }
  if (!/^https?$/i.test(scheme)) return refused(wanted, `an address with the scheme ${scheme}`);
  if (/[\s\\\p{Cc}]/u.test(text)) return refused(wanted, 'an address with a blank or a backslash in it');
  const url = /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    return refused(wanted, `a text of ${plural(text.length, 'character')} that is no address`);
  if (url.username !== '' || url.password !== '') {
    return refused(
      'an address without user and password',
      'one with them',
      'The key goes into AIRANK_API_KEY.',
    );
  }
  if (text.includes('?')) {
    return refused('an address without a query', 'one with "?"', 'Leave out "?" and what follows it.');
  }
  if (text.includes('#')) {
    return refused('an address without a fragment', 'one with "#"', 'Leave out "#" and what follows it.');
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return refused(
      'an https address (http is for localhost, 127.0.0.0/8 and [::1] only)',
      `http://${url.host}`,
      'A key sent over http can be read on the way.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return { ok: true, url: freezeUrl(new URL(`${url.origin}${path.replace(/\/+$/, '')}`)) };
}

// The address of the server that takes mails. Never shown in a message: it usually holds a password.
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

type SmtpUrlResult =
  | { readonly ok: true; readonly server: SmtpServer }
  | { readonly ok: false; readonly hints: FaultHints };

const smtpEncode =
  'Percent-smtpEncode special characters in user and password (@ is %40, # is %23, / is %2F).';

function smtpRefused(got: string, fix?: string): SmtpUrlResult {
  return { ok: false, hints: { got, ...(fix !== undefined && { fix }) } };
}

/** `smtp://user:password@host:587`, `smtps://user:password@host:465`; ports 587 and 465 where none is named. */
export function parseSmtpUrl(text: string): SmtpUrlResult {
  if (!/^smtps?:\/\//i.test(text))
    return smtpRefused(`a text of ${plural(text.length, 'character')} that is none`);
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) {
    return smtpRefused('an address that does not parse (not shown, it may hold a password)', smtpEncode);
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === '') return smtpRefused('an address without a host');
  if (pathname.replace('/', '') !== '' || search !== '' || hash !== '') {
    return smtpRefused('an address with something after the port', smtpEncode);
  }
  if ((username === '') !== (password === '')) {
    return smtpRefused('an address with one of user and password', 'Give both, or none.');
  }
  const isEncrypted = protocol === 'smtps:';
  try {
    const [user, plain] = [username, password].map(decodeURIComponent);
    if (/\p{Cc}/u.test(`${user}${plain}`)) return smtpRefused('a control character in user or password');
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
    return smtpRefused('an address with a broken percent sign in it', smtpEncode);
  }
}

// The address of the warehouse's Postgres. Never shown in a message: it usually holds a password.
type DatabaseUrlResult =
  | { readonly ok: true; readonly url: Secret }
  | { readonly ok: false; readonly hints: FaultHints };

const encode = 'Percent-encode special characters in the password (@ is %40, # is %23, / is %2F).';

/** Undefined: a percent sign is not an encoding. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Accepts `postgres://` and `postgresql://` addresses that pg can take apart. */
export function parseDatabaseUrl(text: string): DatabaseUrlResult {
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    const got =
      scheme === undefined
        ? `a text of ${plural(text.length, 'character')} that is none`
        : `the scheme ${scheme}://`;
    return { ok: false, hints: { got } };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || /[\s\p{Cc}]/u.test(text)) {
    return {
      ok: false,
      hints: { got: 'an address that does not parse (not shown, it may hold a password)', fix: encode },
    };
  }
  if (url.hash !== '') return { ok: false, hints: { got: 'an address with "#" in it', fix: encode } };
  const parts = [url.username, url.password, url.pathname, url.hostname].map(decoded);
  if (parts.includes(undefined)) {
    return { ok: false, hints: { got: 'an address with a broken percent sign in it', fix: encode } };
  }
  // A NUL ends a text in what is sent to Postgres: it would open another database, or as another role.
  if ([...parts, ...url.searchParams.values()].some((part) => part?.includes('\0'))) {
    return { ok: false, hints: { got: 'an address with a NUL (%00) in it', fix: 'Remove it.' } };
  }
  const hints = tlsFault(url.searchParams);
  return hints === undefined ? { ok: true, url: new Secret(text) } : { ok: false, hints };
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** pg takes a mode that it does not know for another one, and reads the files at the first connection. */
function tlsFault(params: URLSearchParams): FaultHints | undefined {
  const mode = params.get('sslmode');
  if (mode !== null && !modes.includes(mode)) {
    return { got: `sslmode=${mode}`, fix: 'It is one of disable, require, verify-ca and verify-full.' };
  }
  if (mode === 'verify-ca' && !params.has('sslrootcert')) {
    return {
      got: 'sslmode=verify-ca without sslrootcert',
      fix: 'Add sslrootcert=/path/ca.pem, or use verify-full.',
    };
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = params.get(name);
    if (file === null || (name === 'sslrootcert' && file === 'system')) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch {
      return {
        got: `${name}=${file}, a file that cannot be read`,
        fix: `Its path counts from ${process.cwd()}.`,
      };
    }
  }
  return undefined;
}

// Who sends and gets mails: `reports@example.com`, or `Example Agency <reports@example.com>`.
interface MailAddress {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

/** One address alone, in letters that every server takes. Undefined: the text is none. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inAngles, alone] = /^\s*(?:([^<>]*?)\s*<([^<>]*)>|([^<>]*?))\s*$/.exec(text) ?? [];
  const address = inAngles ?? alone ?? '';
  // No quoted local parts: what needs them is more often an attempt at something else.
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(address))
    return undefined;
  if (/[\p{Cc}\p{Surrogate}]/u.test(name) || name.length > 200) return undefined;
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address };
}
