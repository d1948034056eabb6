// The server for a team, on this machine. Caller, origin and token are checked before anything of a request
// is read: the SDK's handler answers anybody.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { isAllowedHost, securityHeaders, startServer } from '../../core/http.ts';
import type { Bound } from '../read/clients.ts';
import type { createServer } from '../server.ts';
import { grantFor, type TokenGrant } from './tokens.ts';

const path = '/mcp';
const mostBodyBytes = 1_000_000;
interface HttpOptions {
  /** 0: a free one. */
  readonly port: number;
  readonly tokens: readonly TokenGrant[];
  /** Names beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly serverFor: (bound: Bound) => ReturnType<typeof createServer>;
  readonly onFailure: (error: unknown) => void;
}

/** Rejects with the system's error when it cannot listen there. */
export async function startHttpServer(
  options: HttpOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { serverFor, onFailure } = options;
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['bound'] as Bound), {
    responseMode: 'json',
    onerror: onFailure,
  });
  const server = await startServer(options.port, async (request, response) => {
    try {
      await respond(request, response, options, handler);
    } catch (error) {
      onFailure(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The request failed');
    }
  });
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
    close: async () => {
      await handler.close();
      await server.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { tokens, allowedHosts }: HttpOptions,
  handler: ReturnType<typeof createMcpHandler>,
): Promise<void> {
  const { headers, method = 'GET' } = request;
  if (!isAllowedHost(headers.host, allowedHosts))
    return refuse(response, 403, 'Requests for this host are refused');
  const { origin } = headers;
  const isOwnOrigin =
    origin === undefined || (URL.canParse(origin) && isAllowedHost(new URL(origin).host, allowedHosts));
  // Browsers tell the origin of the page that asks.
  const isOwnSite = ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString());
  if (!isOwnOrigin || !isOwnSite)
    return refuse(response, 403, 'Requests from pages of other sites are refused');
  if (request.url?.split('?')[0] !== path) return refuse(response, 404, `Use ${path}`);
  const grant = grantFor(tokens, headers.authorization);
  if (grant === undefined) {
    return refuse(response, 401, 'Send a token of AIRANK_MCP_TOKENS_FILE as Authorization: Bearer', {
      'www-authenticate': 'Bearer',
    });
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, `The body is larger than ${mostBodyBytes} bytes`);
  const asked = new Request(`http://${headers.host}${path}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
    ...(method === 'POST' && { body }),
  });
  const authInfo = { token: '', clientId: '', scopes: [], extra: { bound: grant.bound } };
  const answer = await handler.fetch(asked, { authInfo });
  response.writeHead(answer.status, { ...securityHeaders(undefined), ...Object.fromEntries(answer.headers) });
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response);
}

/** Undefined: it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  // A body that was not read would be taken for the next request.
  response.shouldKeepAlive = false;
  const headers = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8', ...more };
  response.writeHead(status, headers).end(`${text}\n`);
}
