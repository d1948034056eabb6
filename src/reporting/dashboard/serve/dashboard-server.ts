// The server of the dashboard. Its process does nothing else, so node:http serves it, and not the bare sockets of
// src/jobs/schedule/http-server.ts: a client that pipelines holds up pages, and no jobs.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { keepRoomForNewcomers } from '../../../core/room-for-newcomers.ts';
import { type AnswerRules, answerTo } from './answer.ts';
import { securityHeaders } from './security-headers.ts';

export interface DashboardServerOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** By the port that is listened on. */
  readonly rulesFor: (port: number) => AnswerRules;
  readonly onFailure: (error: unknown) => void;
}

export interface DashboardServer {
  readonly port: number;
  /** Answers what was asked, and ends within a second or so. */
  close(): Promise<void>;
}

const mostConnections = 64;
const lastWordsMs = 1_000;
const failureHeaders = { ...securityHeaders(undefined), 'content-type': 'text/plain; charset=utf-8' };
const compress = promisify(gzip);

/** Rejects with the system's error when it cannot listen there. */
export async function startDashboardServer(options: DashboardServerOptions): Promise<DashboardServer> {
  let rules: AnswerRules | undefined;
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      connections.asked(request.socket);
      response.once('close', () => connections.answered(request.socket));
      respond(request, response, rules).catch((error: unknown) => {
        options.onFailure(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500, failureHeaders).end('This page could not be read\n');
      });
    },
  );
  const connections = keepRoomForNewcomers(server, mostConnections);
  server.maxRequestsPerSocket = 100;
  server.setTimeout(60_000);
  // What is no HTTP is not answered.
  server.on('clientError', (_, socket) => socket.destroy());
  await listen(server, options);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  rules = options.rulesFor(port);
  return { port, close: () => close(server) };
}

async function listen(server: Server, { host, port }: DashboardServerOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
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

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), lastWordsMs);
    server.close(() => {
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
