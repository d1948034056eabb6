// What is answered to a request: pages without data for everybody, data for those with a link.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Language } from '../charts/chart.ts';
import type { Assets } from '../document/assets.ts';
import { htmlDocument } from '../document/html-document.ts';
import { word } from '../page/page-words.ts';
import { isAllowedHost } from './allowed-host.ts';
import { grantOf, type LinkGrant } from './links.ts';
import type { LiveData } from './live-data.ts';
import { securityHeaders } from './security-headers.ts';

export interface DashboardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AnswerRules {
  readonly data: LiveData;
  readonly assets: Assets;
  readonly language: Language;
  /** Names beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly secret: string;
  readonly ownToken: string;
  /** Two servers on one machine share their cookies: the port is in the name. */
  readonly cookieName: string;
}

/** Paths alone count. */
const local = 'http://localhost';

type Headers = IncomingMessage['headers'];

export async function answerTo(
  request: { readonly method: string; readonly url: string; readonly headers: Headers },
  rules: AnswerRules,
): Promise<DashboardAnswer> {
  const { method, headers } = request;
  if (!isAllowedHost(headers.host, rules.allowedHosts)) {
    return text(
      403,
      'This Host is not answered; --allow-host of airank dashboard or AIRANK_DASHBOARD_HOSTS allows one\n',
    );
  }
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET and HEAD only\n', { allow: 'GET, HEAD' });
  const url = URL.canParse(request.url, local) ? new URL(request.url, local) : undefined;
  if (url === undefined) return text(400, 'This is no address\n');
  const { pathname, searchParams } = url;
  if (pathname === '/') return page(rules);
  if (pathname === '/app.js') return file(rules.assets.script, 'text/javascript');
  if (pathname === '/app.css') return file(rules.assets.style, 'text/css');
  if (pathname === '/healthz') return text(200, 'ok\n');
  if (!pathname.startsWith('/api/')) return text(404, 'There is no such page\n');
  if (!['same-origin', 'none', undefined].includes(first(headers['sec-fetch-site']))) {
    return text(403, 'Only pages of this server may ask\n');
  }
  if (pathname === '/api/session') return session(headers, rules);
  const grant = grantIn(cookie(headers, rules.cookieName), rules);
  if (grant === undefined) return text(401, `${word('noLink', rules.language)}\n`);
  if (pathname === '/api/clients') return json(await rules.data.overview(grant));
  if (pathname !== '/api/page') return text(404, 'There is no such page\n');
  const found = await rules.data.page(grant, searchParams);
  if (found === undefined) return text(404, 'There is no such page, or the link does not show it\n');
  return typeof found === 'string' ? text(400, found) : json(found);
}

function page({ language }: AnswerRules): DashboardAnswer {
  const nonce = randomBytes(18).toString('base64');
  const body = htmlDocument({
    language,
    title: word('title', language),
    head: '<link rel="stylesheet" href="app.css">',
    scripts: `<script nonce="${nonce}" src="app.js"></script>`,
  });
  return {
    status: 200,
    headers: { ...securityHeaders(nonce), 'content-type': 'text/html; charset=utf-8' },
    body,
  };
}

/** The token of a link for a cookie that no script reads and no other site sends. */
function session(headers: Headers, rules: AnswerRules): DashboardAnswer {
  const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined || grantIn(token, rules) === undefined) {
    return text(401, `${word('noLink', rules.language)}\n`);
  }
  const isSecure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  const value = `${rules.cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure}`;
  return text(200, 'ok\n', { 'set-cookie': value });
}

function grantIn(token: string | undefined, { secret, ownToken }: AnswerRules): LinkGrant | undefined {
  return grantOf(token, { secret, ownToken, nowMs: Date.now() });
}

function cookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header[0] : header;
}

function text(status: number, body: string, more: Readonly<Record<string, string>> = {}): DashboardAnswer {
  const headers = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8', ...more };
  return { status, headers, body };
}

function json(value: unknown): DashboardAnswer {
  const headers = { ...securityHeaders(undefined), 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(value) };
}

function file(body: string, type: string): DashboardAnswer {
  return {
    status: 200,
    headers: { ...securityHeaders(undefined), 'content-type': `${type}; charset=utf-8` },
    body,
  };
}
