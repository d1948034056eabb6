// HTTPS_PROXY and NO_PROXY, or in lower case: which addresses are reached through a proxy.
import { z } from 'zod';
import { plural } from '../core/text.ts';
import { isLoopbackHost } from './base-url.ts';
import { type ProxyConfig, Secret } from './config.ts';
import type { Kind } from './setting-kinds.ts';
import { storableText } from './storable-text.ts';

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
