// The server of the dashboard. Its process does nothing else: a client that pipelines holds up pages, and no jobs.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ListeningServer, startServer } from '../../../core/http.ts';
import type { Language } from '../charts/chart.ts';
import { type Assets, htmlDocument } from '../document/html-document.ts';
import { word } from '../page/page-words.ts';
import { grantOf, type LinkGrant } from './links.ts';
import type { LiveData } from './live-data.ts';

/**
 * Which Host headers are answered. A page of elsewhere that gives its name our address (DNS rebinding) sends its own
 * name, and gets nothing.
 */
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Any port: it may be published under another one. @param allowed names beside those of this machine */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  if (name === undefined) return false;
  const same = asBrowsersSay(name);
  return loopback.includes(same) || allowed.some((one) => asBrowsersSay(one) === same);
}

/** An address of IPv6 in brackets, and by its shortest form. */
function asBrowsersSay(name: string): string {
  const bracketed = isIP(name) === 6 ? `[${name}]` : name;
  if (!bracketed.startsWith('[') || !URL.canParse(`http://${bracketed}`)) return name.toLowerCase();
  return new URL(`http://${bracketed}`).hostname;
}

/** Whether a page of another site asks, as browsers say of themselves. */
export function isFromElsewhere(headers: IncomingMessage['headers']): boolean {
  return !['same-origin', 'none', undefined].includes(first(headers['sec-fetch-site']));
}

/** @param nonce of the one script of the page; undefined: the answer is no page */
export function securityHeaders(nonce: string | undefined): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(nonce === undefined
      ? []
      : [`script-src 'nonce-${nonce}'`, "style-src 'self'", "connect-src 'self'", 'img-src data:']),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** What is answered to a request: pages without data for everybody, data for those with a link. */
interface DashboardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface AnswerRules {
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

async function answerTo(
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
  if (isFromElsewhere(headers)) {
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

interface DashboardServerOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** By the port that is listened on. */
  readonly rulesFor: (port: number) => AnswerRules;
  readonly onFailure: (error: unknown) => void;
}

const failureHeaders = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8' };
const compress = promisify(gzip);

/** Rejects with the system's error when it cannot listen there. */
export async function startDashboardServer(options: DashboardServerOptions): Promise<ListeningServer> {
  let rules: AnswerRules | undefined;
  const server = await startServer(options, async (request, response) => {
    try {
      await respond(request, response, rules);
    } catch (error) {
      options.onFailure(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, failureHeaders).end('This page could not be read\n');
    }
  });
  rules = options.rulesFor(server.port);
  return server;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  rules: AnswerRules | undefined,
): Promise<void> {
  const { method = '', url = '/', headers } = request;
  if (rules === undefined) return void response.destroy();
  // Nobody sends a body that is wanted.
  if (method !== 'GET' && method !== 'HEAD') response.shouldKeepAlive = false;
  const answer = await answerTo({ method, url, headers }, rules);
  const plain = Buffer.from(answer.body);
  const isPacked = plain.length > 1_000 && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const body = isPacked ? await compress(plain, { level: 4 }) : plain;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding, cookie',
    'content-length': String(body.length),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
