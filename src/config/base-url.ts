// The address of the API: `{base_url}` without `/api/v1` and a trailing slash (docs/api.md, "Address and key").
import { plural } from '../core/text.ts';
import type { FaultHints } from './fault.ts';

export type BaseUrlResult =
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
