// Serves the dashboard on this machine. Loopback is open to every user, so each address begins with a word known only
// to the person who started it. The process does nothing else: a client that pipelines requests holds up pages, but no
// jobs.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  isAllowedHost,
  isSame,
  type ListeningServer,
  securityHeaders,
  startServer,
} from '../../../core/http.ts';
import type { Language } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { type Assets, htmlDocument } from '../document/html-document.ts';
import type { LiveData } from './live-data.ts';

interface DashboardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface AnswerRules {
  readonly data: LiveData;
  readonly assets: Assets;
  readonly language: Language;
  /** First part of each path; without it the answer is 403. */
  readonly secretPath: string;
}

/** Only the path of a request counts. */
const local = 'http://localhost';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

async function answerTo({ method, url = '/', headers }: Asked, rules: AnswerRules): Promise<DashboardAnswer> {
  if (!isAllowedHost(headers.host)) return text(403, 'Requests for this host are refused\n');
  const asked = URL.canParse(url, local) ? new URL(url, local) : undefined;
  const [, given = '', path] = /^\/([^/]*)(\/.*)?$/.exec(asked?.pathname ?? '') ?? [];
  if (asked === undefined || !isSame(given, rules.secretPath)) {
    return text(
      403,
      `${fill('Open the address that airank dashboard --serve printed: each start has its own.', rules.language)}\n`,
    );
  }
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET and HEAD only\n', { allow: 'GET, HEAD' });
  // Addresses on the page are relative to the slash.
  if (path === undefined) return text(308, '', { location: `/${given}/${asked.search}` });
  if (path === '/') return page(rules);
  if (path === '/app.js') return file(rules.assets.script, 'text/javascript');
  if (path === '/app.css') return file(rules.assets.style, 'text/css');
  if (path === '/api/clients') return json(await rules.data.overview());
  const found = path === '/api/page' ? await rules.data.page(asked.searchParams) : undefined;
  if (found === undefined) return text(404, 'There is no such page\n');
  return typeof found === 'string' ? text(400, found) : json(found);
}

function page({ language }: AnswerRules): DashboardAnswer {
  const nonce = randomBytes(18).toString('base64');
  const body = htmlDocument({
    language,
    title: fill('AI visibility', language),
    head: '<link rel="stylesheet" href="app.css">',
    scripts: `<script nonce="${nonce}" src="app.js"></script>`,
  });
  return {
    status: 200,
    headers: { ...securityHeaders(nonce), 'content-type': 'text/html; charset=utf-8' },
    body,
  };
}

function text(status: number, body: string, more: Readonly<Record<string, string>> = {}): DashboardAnswer {
  const headers = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8', ...more };
  return { status, headers, body };
}

function json(value: unknown): DashboardAnswer {
  return file(JSON.stringify(value), 'application/json');
}

function file(body: string, type: string): DashboardAnswer {
  return {
    status: 200,
    headers: { ...securityHeaders(undefined), 'content-type': `${type}; charset=utf-8` },
    body,
  };
}

interface DashboardServerOptions extends AnswerRules {
  /** 0 takes a free one. */
  readonly port: number;
  readonly onFailure: (error: unknown) => void;
}

const compress = promisify(gzip);

/** Rejects with the system's error if it cannot listen there. */
export async function startDashboardServer(options: DashboardServerOptions): Promise<ListeningServer> {
  return await startServer(options.port, async (request, response) => {
    try {
      await respond(request, response, options);
    } catch (error) {
      options.onFailure(error);
      const { status, headers, body } = text(500, 'This page could not be read\n');
      if (response.headersSent) response.destroy();
      else response.writeHead(status, headers).end(body);
    }
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  rules: AnswerRules,
): Promise<void> {
  const { method, headers } = request;
  // No request with a body is expected.
  if (method !== 'GET' && method !== 'HEAD') response.shouldKeepAlive = false;
  const answer = await answerTo(request, rules);
  const plain = Buffer.from(answer.body);
  const isPacked = plain.length > 1_000 && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const body = isPacked ? await compress(plain, { level: 4 }) : plain;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding',
    'content-length': String(body.length),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
