// HTTP in and out: connections of requests, direct or through a proxy's tunnel (CONNECT), which shows the proxy only
// the host name; posts to webhooks; and a server that people and their programs ask.

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { Agent, type Dispatcher, fetch, Pool, ProxyAgent } from 'undici';
import { messageOf } from './errors.ts';

interface Post {
  readonly url: string;
  readonly body: string;
  readonly timeoutMs: number;
  readonly proxy: string | undefined;
}

/** Posts to a webhook; never rejects, follows no redirect. Returns why it was not taken, if it was not. */
export async function postJson({ url, body, timeoutMs, proxy }: Post): Promise<string | undefined> {
  const dispatcher = createDispatcher({ proxy });
  try {
    const answer = await fetch(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
  } finally {
    await dispatcher.destroy();
  }
}

/** The proxy of HTTPS_PROXY gave no tunnel, so nothing was sent. Never holds its user or password. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY';
  readonly problem: string;
  readonly fix: string;

  constructor(problem: string, fix: string, options?: ErrorOptions) {
    super(`${problem}. ${fix}`, options);
    this.name = 'ProxyError';
    this.problem = problem;
    this.fix = fix;
  }
}

interface DispatcherOptions {
  readonly proxy: string | undefined;
  /** Longest wait for a connection, and for the tunnel of a proxy. Default 10000. */
  readonly connectTimeoutMs?: number;
}

/** Turns off undici's own two timeouts: callers limit the whole exchange. */
export function createDispatcher({ proxy, connectTimeoutMs = 10_000 }: DispatcherOptions): Dispatcher {
  const connect = { timeout: connectTimeoutMs };
  const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent({ connect, ...unlimited });
  const { username, password } = new URL(proxy);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return new ProxyAgent({
    uri: proxy,
    ...unlimited,
    // undici alone leaves out a user without a password.
    ...(username !== '' && { token: `Basic ${login.toString('base64')}` }),
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, options) => tunnelMaker(origin, options, connectTimeoutMs),
  });
}

/** Replaces undici's connect, which reports a refusal as mere text, and retries forever if a proxy hangs up. */
function tunnelMaker(proxy: URL, options: object, timeoutMs: number): Dispatcher {
  const pool = new Pool(proxy.origin, options);
  const open: (this: Pool, wish: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect;
  const failed = (what: string, fix: string, cause?: unknown) =>
    new ProxyError(`the proxy ${proxy.host} of HTTPS_PROXY ${what}`, fix, { cause });
  const connect = async (wish: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const except = `add ${wish.path.replace(/:\d+$/, '')} to NO_PROXY`;
    const signal = AbortSignal.timeout(timeoutMs);
    const tunnel = await open.call(pool, { ...wish, signal }).catch((error: unknown) => {
      const what = signal.aborted
        ? `opened no tunnel within ${timeoutMs} ms`
        : `opened no tunnel (${codeOf(error)})`;
      throw failed(what, `Check host and port in HTTPS_PROXY, or ${except}`, error);
    });
    const { statusCode, socket } = tunnel;
    if (statusCode === 200) return tunnel;
    socket.on('error', () => undefined).destroy();
    if (statusCode === 407) throw failed('answered 407', 'Check user and password in HTTPS_PROXY');
    throw failed(
      `answered ${statusCode} to CONNECT ${wish.path}`,
      `Allow that address in the proxy, or ${except}`,
    );
  };
  return Object.assign(pool, { connect });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown network error';
}

interface Connections {
  asked(socket: Socket): void;
  answered(socket: Socket): void;
}

/**
 * Limits the connections of a server. Beyond `most`, the one silent for longest is closed, or else the oldest, so
 * that nobody who holds connections open crowds out a probe.
 */
export function limitConnections(server: Server, most: number): Connections {
  // Both ordered by their last activity.
  const silent = new Set<Socket>();
  const asking = new Set<Socket>();
  const forget = (socket: Socket) => {
    silent.delete(socket);
    asking.delete(socket);
  };
  server.on('connection', (socket) => {
    if (silent.size + asking.size >= most) {
      const [oldest] = silent.size > 0 ? silent : asking;
      if (oldest !== undefined) {
        forget(oldest);
        oldest.destroy();
      }
    }
    silent.add(socket);
    socket.once('close', () => forget(socket));
  });
  const moved = (socket: Socket, to: Set<Socket>) => {
    forget(socket);
    if (!socket.destroyed) to.add(socket);
  };
  return { asked: (socket) => moved(socket, asking), answered: (socket) => moved(socket, silent) };
}

export interface ListeningServer {
  readonly port: number;
  /** Finishes open answers, and ends within a second or so. */
  close(): Promise<void>;
}

const mostConnections = 64;
const lastWordsMs = 1_000;

interface ServerOptions {
  /** Default: this machine alone. */
  readonly host?: string;
  /** Longest time for a request to arrive. Default 10000. */
  readonly patienceMs?: number;
  /** Longest silence of a connection, so also of one that reads no answer. Default 60000. */
  readonly silenceMs?: number;
  /** Requests of a connection; more are not answered. Default 100. */
  readonly mostRequests?: number;
}

/**
 * Rejects with the system's error if it cannot listen there.
 * @param port 0: a free one
 * @param respond never rejects
 */
export async function startServer(
  port: number,
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host = '127.0.0.1', patienceMs = 10_000, silenceMs = 60_000, mostRequests = 100 }: ServerOptions = {},
): Promise<ListeningServer> {
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: Math.min(patienceMs, 5_000),
      requestTimeout: patienceMs,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: Math.min(patienceMs, 1_000),
    },
    (request, response) => {
      connections.asked(request.socket);
      response.once('close', () => connections.answered(request.socket));
      respond(request, response).catch(() => response.destroy());
    },
  );
  const connections = limitConnections(server, mostConnections);
  server.maxRequestsPerSocket = mostRequests;
  server.on('dropRequest', (_, socket) => socket.destroy());
  server.setTimeout(silenceMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise<void>((resolve) => {
        const end = setTimeout(() => server.closeAllConnections(), lastWordsMs);
        server.close(() => {
          clearTimeout(end);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Tells whether to answer a Host header. Any port passes: it may be forwarded from another one (`ssh -L`). A foreign
 * page that points its own name at our address (DNS rebinding) sends that name, and gets nothing.
 * @param allowed names beside those of this machine
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[] = []): boolean {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return (
    name !== undefined && [...loopback, ...allowed].some((one) => one.toLowerCase() === name.toLowerCase())
  );
}

/** Compares secrets, and takes the same time whatever differs. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
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
