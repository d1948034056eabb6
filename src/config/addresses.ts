// Addresses in settings: of the API, Metabase, proxies, databases, mail servers, webhooks and people. A
// refused text is described and never repeated: it may hold a password, or a key pasted in its place.

import { accessSync, constants } from 'node:fs';
import * as z from 'zod';
import { plural } from '../core/text.ts';
import { type ProxyConfig, Secret } from './config.ts';
import { type FaultHints, shown } from './fault.ts';
import { type Kind, type Parsed, parsedBy, refused, storableText } from './setting-kinds.ts';

/** True for hosts that never leave the machine: localhost, 127.0.0.0/8 and [::1]. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Decodes percent signs; undefined: one of them encodes nothing. */
export function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const unparsed = 'an address that does not parse (not shown, it may hold a password)';
const encodeIn = (where: string) =>
  `Percent-encode special characters in ${where} (@ is %40, # is %23, / is %2F).`;

/** Describes a text that is no address, without repeating it. */
function textOf(text: string): string {
  return `a text of ${plural(text.length, 'character')}`;
}

const baseUrlWanted = 'an https address such as https://api.example.com';

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
 * one `/api/v1` (api.md, "Address and key").
 */
export function parseBaseUrl(text: string): Parsed<URL> {
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text)?.[1];
  if (scheme === undefined) {
    return refused(baseUrlWanted, `${textOf(text)} that does not begin with https://`);
  }
  if (!/^https?$/i.test(scheme)) return refused(baseUrlWanted, `an address with the scheme ${scheme}`);
  if (/[\s\\\p{Cc}]/u.test(text)) {
    return refused(baseUrlWanted, 'an address with a space or a backslash in it');
  }
  const url = /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return refused(baseUrlWanted, `${textOf(text)} that is not an address`);
  if (url.username !== '' || url.password !== '') {
    return refused(
      'an address without user and password',
      'one with them',
      'Put the key into AIRANK_API_KEY.',
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
  return { ok: true, value: freezeUrl(new URL(`${url.origin}${path.replace(/\/+$/, '')}`)) };
}

export const baseUrl = parsedBy(baseUrlWanted, parseBaseUrl);

const metabaseUrlWanted =
  'an https address without user, query or fragment, such as https://metabase.example.com (http for a loopback host only)';

/** Applies the rules of the API's address, with its own wording. */
export const metabaseUrl = parsedBy(metabaseUrlWanted, (text) => {
  const result = parseBaseUrl(text.replace(/\/+$/, ''));
  if (result.ok) return result;
  const { got } = result.hints;
  return { ok: false, expected: metabaseUrlWanted, hints: got === undefined ? {} : { got } };
});

const proxyWanted = 'the address of an http proxy such as http://proxy.example.com:3128';

/** HTTPS_PROXY. May hold user and password; the scheme may be left out, as with curl. */
export const proxyUrl: Kind<Secret> = parsedBy(proxyWanted, (text) => {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const scheme = full.slice(0, full.indexOf(':'));
  if (!/^https?$/i.test(scheme)) return refused(proxyWanted, `one with the scheme ${scheme}`);
  const url = URL.canParse(full) && !/[\s\p{Cc}]/u.test(text) ? new URL(full) : undefined;
  const isReadable = url !== undefined && decoded(`${url.username}${url.password}`) !== undefined;
  return isReadable ? { ok: true, value: new Secret(full) } : refused(proxyWanted, textOf(text));
});

export const noProxy: Kind<string> = {
  schema: storableText('host names separated by commas'),
  fromText: (text) => text,
};

/** Returns host and port of the proxy, without user and password. */
export function proxyHost(proxy: Secret): string {
  return new URL(proxy.reveal()).host;
}

/**
 * Finds the proxy for an address. Undefined: it is reached without one, like every loopback host and whatever
 * is not https.
 */
export function proxyFor(url: URL, proxy: ProxyConfig | undefined): Secret | undefined {
  if (proxy === undefined || url.protocol !== 'https:' || isLoopbackHost(url.hostname)) return undefined;
  const port = url.port || '443';
  const isExcepted = proxy.except.split(/[\s,]+/).some((entry) => {
    const [, name = '', itsPort = port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const fits = name === '*' || url.hostname === name || url.hostname.endsWith(`.${name}`);
    return name !== '' && fits && itsPort === port;
  });
  return isExcepted ? undefined : proxy.url;
}

const hostsWanted = 'host names separated by commas, such as visibility.example.com';

/** Accepts a name or an address, without scheme and port. */
function isRequestHost(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/i.test(text);
}

/** Host names that requests may carry, such as a proxy's: a list, or names by commas. */
export const requestHosts: Kind<readonly string[]> = {
  schema: z.union([z.string(), z.array(z.string())], { error: hostsWanted }).transform((input, context) => {
    const parts = typeof input === 'string' ? input.split(',') : input;
    const names = parts.map((name) => name.trim()).filter((name) => name !== '');
    const wrong = names.find((name) => !isRequestHost(name));
    if (wrong === undefined) return [...new Set(names)];
    context.addIssue({ code: 'custom', message: hostsWanted, params: { got: shown(wrong) } });
    return z.NEVER;
  }),
  fromText: (text) => text,
};

const databaseUrlWanted = 'a postgres:// or postgresql:// address';

/** Accepts an address that pg can take apart, if every parameter of it is known. */
function parseDatabaseUrl(given: string): Parsed<Secret> {
  const no = (got: string, fix?: string) => refused(databaseUrlWanted, got, fix);
  const encode = encodeIn('the password');
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    return no(scheme === undefined ? textOf(given) : `the scheme ${scheme}://`);
  }
  const text = withHost(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A name with other letters may be a piece of a password.
  const isWhole = [...(url?.searchParams.keys() ?? [])].every((name) => /^\w{1,40}$/.test(name));
  if (url === undefined || !isWhole || /[\s\p{Cc}]/u.test(text)) return no(unparsed, encode);
  if (url.hash !== '') return no('an address with "#" in it', encode);
  const parts = [url.username, url.password, url.pathname, url.hostname].map(decoded);
  if (parts.includes(undefined)) return no('an address with a broken percent sign in it', encode);
  // A NUL ends a text on its way to Postgres, which would then open another database, or as another role.
  if ([...parts, ...url.searchParams.values()].some((part) => part?.includes('\0'))) {
    return no('an address with a NUL (%00) in it', 'Remove it.');
  }
  if (parts[3]?.includes(',')) return no('an address with several hosts', 'Name the one that takes writes.');
  const hints = parameterFault(url.searchParams);
  return hints === undefined
    ? { ok: true, value: new Secret(text) }
    : { ok: false, expected: databaseUrlWanted, hints };
}

/**
 * Moves the host to where URL parsers expect it: they refuse `postgres://u:p@/db?host=/run/postgresql`, which libpq
 * and Cloud SQL write.
 */
function withHost(text: string): string {
  const host = decoded(/[?&]host=([^&#]+)/.exec(text)?.[1] ?? '');
  if (!host) return text;
  return text
    .replace(/[?&]host=[^&#]+/, '')
    .replace(/^([^?&]*)&/, '$1?')
    .replace(/^(\w+:\/\/(?:[^/?#]*@)?)[^/?#:]*/, (_, lead: string) => `${lead}${encodeURIComponent(host)}`);
}

/**
 * Allowed parameters of an address with their values; undefined: any value. Others are refused by name, as by
 * libpq: they may be about safety, or name a server.
 */
const parameters: Readonly<Record<string, readonly string[] | undefined>> = {
  user: undefined,
  password: undefined,
  port: undefined,
  options: undefined,
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  ssl: ['true', '1', 'false', '0', 'no-verify'],
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  sslnegotiation: ['postgres', 'direct'],
  channel_binding: ['disable', 'prefer', 'require'],
  // These values ask for nothing beyond the default.
  gssencmode: ['disable', 'prefer'],
  target_session_attrs: ['any'],
  load_balance_hosts: ['disable'],
  client_encoding: ['auto', 'utf8', 'UTF8', 'utf-8', 'UTF-8'],
  uselibpqcompat: ['true'],
  application_name: undefined,
  fallback_application_name: undefined,
  connect_timeout: undefined,
  keepalives: undefined,
  keepalives_idle: undefined,
  keepalives_interval: undefined,
  keepalives_count: undefined,
  tcp_user_timeout: undefined,
  sslcompression: undefined,
  sslsni: undefined,
};

/** Opens the files here: pg reads them only at the first connection. */
function parameterFault(params: URLSearchParams): FaultHints | undefined {
  for (const [name, value] of params) {
    if (!Object.hasOwn(parameters, name)) {
      return {
        got: `the parameter ${name}, which is not supported`,
        fix: 'Leave it out, or spell it as libpq does.',
      };
    }
    if (parameters[name]?.includes(value) === false) {
      return { got: `${name}=${value}`, fix: `Use one of ${parameters[name].join(', ')}, or leave it out.` };
    }
    if (params.getAll(name).length > 1) return { got: `${name} twice`, fix: 'Leave one of them out.' };
  }
  const mode = params.get('sslmode');
  if (mode !== null && params.has('ssl')) {
    return { got: 'ssl and sslmode', fix: 'Leave ssl out: sslmode is more precise.' };
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
        fix: `The path is relative to ${process.cwd()}.`,
      };
    }
  }
  return undefined;
}

export const databaseUrl = parsedBy(databaseUrlWanted, parseDatabaseUrl);

const webhookWanted = 'an https or http address';

/** Never shown: anybody with the address may write to the channel. */
export const webhookUrl: Kind<Secret> = parsedBy(webhookWanted, (text) =>
  /^https?:\/\/[^\s/]/i.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)
    ? { ok: true, value: new Secret(text) }
    : refused(webhookWanted, textOf(text)),
);

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

const smtpUrlWanted = 'an smtp:// or smtps:// address';

/** `smtp://user:password@host:587`, `smtps://user:password@host:465`; ports 587 and 465 where none is named. */
export function parseSmtpUrl(text: string): Parsed<SmtpServer> {
  const no = (got: string, fix?: string) => refused(smtpUrlWanted, got, fix);
  const encode = encodeIn('user and password');
  if (!/^smtps?:\/\//i.test(text)) return no(textOf(text));
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return no(unparsed, encode);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === '') return no('an address without a host');
  if (pathname.replace('/', '') !== '' || search !== '' || hash !== '') {
    return no('an address with something after the port', encode);
  }
  if ((username === '') !== (password === '')) {
    return no('an address with only one of user and password', 'Give both or neither.');
  }
  const [user, plain] = [username, password].map(decoded);
  if (user === undefined || plain === undefined) {
    return no('an address with a broken percent sign in it', encode);
  }
  if (/\p{Cc}/u.test(`${user}${plain}`)) return no('a control character in user or password');
  const isEncrypted = protocol === 'smtps:';
  return {
    ok: true,
    value: {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
      tls: isEncrypted ? 'from_start' : isLoopbackHost(hostname) ? 'if_offered' : 'upgrade',
      login: user && plain ? { user, password: new Secret(plain) } : undefined,
    },
  };
}

export const smtpUrl: Kind<Secret> = parsedBy(smtpUrlWanted, (text) => {
  const result = parseSmtpUrl(text);
  return result.ok ? { ok: true, value: new Secret(text) } : result;
});

/** The sender or receiver of mails: `reports@example.com`, or `Example Agency <reports@example.com>`. */
interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** Parses one address in letters that every server takes; undefined: the text is no address. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inAngles, alone] = /^\s*(?:([^<>]*?)\s*<([^<>]*)>|([^<>]*?))\s*$/.exec(text) ?? [];
  const address = inAngles ?? alone ?? '';
  // Quoted local parts are refused: they are more often an attempt at something else.
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(address))
    return undefined;
  if (/[\p{Cc}\p{Surrogate}]/u.test(name) || name.length > 200) return undefined;
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address };
}

const mailAddressWanted = 'a mail address such as reports@example.com or Agency <reports@example.com>';

export const mailAddress: Kind<string> = {
  schema: z
    .string({ error: mailAddressWanted })
    .refine((text) => parseMailAddress(text) !== undefined, { error: mailAddressWanted }),
  fromText: (text) => text,
};
