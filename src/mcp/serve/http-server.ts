// The server for a team, on this machine. Who asks, from where and with which token is looked at before anything is read
// of a request: the SDK's handler answers anybody.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { keepRoomForNewcomers } from '../../core/http.ts';
import {
  isAllowedHost,
  isFromElsewhere,
  securityHeaders,
} from '../../reporting/dashboard/serve/dashboard-server.ts';
import type { Bound } from '../read/clients.ts';
import type { createServer } from '../server.ts';
import { grantFor, type TokenGrant } from './tokens.ts';

const path = '/mcp';
const mostBodyBytes = 1_000_000;
const mostConnections = 64;
const lastWordsMs = 1_000;

interface HttpOptions {
  /** 0: a free one. */
  readonly port: number;
  readonly tokens: readonly TokenGrant[];
  /** Names beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly serverFor: (bound: Bound) => ReturnType<typeof createServer>;
  readonly onFailure: (error: unknown) => void;
}

interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Rejects with the system's error when it cannot listen there. */
export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const handler = createMcpHandler(({ authInfo }) => options.serverFor(authInfo?.extra?.['bound'] as Bound), {
    responseMode: 'json',
    maxRequestBodySize: mostBodyBytes,
    onerror: options.onFailure,
  });
  const server = createHttpServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      connections.asked(request.socket);
      response.once('close', () => connections.answered(request.socket));
      respond(request, response, options, handler).catch((error: unknown) => {
        options.onFailure(error);
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'This could not be answered');
      });
    },
  );
  const connections = keepRoomForNewcomers(server, mostConnections);
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: async () => {
      await handler.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const end = setTimeout(() => server.closeAllConnections(), lastWordsMs);
      await closed;
      clearTimeout(end);
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
  if (!isAllowedHost(headers.host, allowedHosts)) return refuse(response, 403, 'This Host is not answered');
  const { origin } = headers;
  const isOwnOrigin =
    origin === undefined || (URL.canParse(origin) && isAllowedHost(new URL(origin).host, allowedHosts));
  if (!isOwnOrigin || isFromElsewhere(headers))
    return refuse(response, 403, 'Pages of other sites may not ask');
  if (request.url?.split('?')[0] !== path) return refuse(response, 404, `Ask ${path}`);
  const grant = grantFor(tokens, headers.authorization);
  if (grant === undefined) {
    return refuse(response, 401, 'Send a token of AIRANK_MCP_TOKENS_FILE as Authorization: Bearer', {
      'www-authenticate': 'Bearer',
    });
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, `A body has at most ${mostBodyBytes} bytes`);
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
  // What is not read would be taken for the next request.
  response.shouldKeepAlive = false;
  const headers = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8', ...more };
  response.writeHead(status, headers).end(`${text}\n`);
}
