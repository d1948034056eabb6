// Kinds of settings that name other servers: proxies, Metabase, hosts that may ask the dashboard.
import { z } from 'zod';
import { plural } from '../core/text.ts';
import { isLoopbackHost, parseBaseUrl } from './addresses.ts';
import { type ProxyConfig, Secret } from './config.ts';
import { shown } from './fault.ts';
import { type Kind, storableText } from './setting-kinds.ts';

// HTTPS_PROXY and NO_PROXY, or in lower case: which addresses are reached through a proxy.
const wanted = 'the address of an http proxy such as http://proxy.example.com:3128';

/** May hold user and password. As curl has it, the scheme may be left out. */
export const proxyUrl: Kind<Secret> = {
  schema: z.string({ error: wanted }).transform((text, context) => {
    const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const scheme = full.slice(0, full.indexOf(':'));
    if (/^https?$/i.test(scheme) && !/[\s\p{Cc}]/u.test(text) && isReadable(full)) return new Secret(full);
    const got = /^https?$/i.test(scheme)
      ? `a text of ${plural(text.length, 'character')} that is none`
      : `one with the scheme ${scheme}`;
    context.addIssue({ code: 'custom', message: wanted, params: { got } });
    return z.NEVER;
  }),
  fromText: (text) => text,
};

export const noProxy: Kind<string> = {
  schema: storableText('names of hosts, by commas'),
  fromText: (text) => text,
};

function isReadable(address: string): boolean {
  try {
    const { username, password } = new URL(address);
    return decodeURIComponent(`${username}${password}`) !== undefined;
  } catch {
    return false;
  }
}

/** Where the proxy is, without user and password. */
export function proxyHost(proxy: Secret): string {
  return new URL(proxy.reveal()).host;
}

/** Undefined: reached without one, as every loopback host is, and what is not https. */
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

// The address of a Metabase: the rules of the API's address, in words of its own.
const metabaseUrlWanted =
  'an https address without user, query or fragment, such as https://metabase.example.com (http for a loopback host only)';

/** Without /api/v1 and a trailing slash. A refused text is described, never repeated. */
export const metabaseUrl: Kind<URL> = {
  schema: z.string({ error: metabaseUrlWanted }).transform((text, context) => {
    const result = parseBaseUrl(text.replace(/\/+$/, ''));
    if (result.ok) return result.url;
    const { got } = result.hints;
    context.addIssue({
      code: 'custom',
      message: metabaseUrlWanted,
      params: { ...(got !== undefined && { got }) },
    });
    return z.NEVER;
  }),
  fromText: (text) => text,
};

// Names that requests may be for: those under which a proxy is reached.
const hostsWanted = 'names by commas, such as visibility.example.com';

/** A name or an address, without scheme and port. */
export function isRequestHost(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/i.test(text);
}

/** A list, or names by commas. */
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
