// /healthz, /readyz and /metrics, for supervisors and Prometheus. Reads only, and says no secret.
//
// One request a connection, without node:http: its parser works through everything that one read brought, and cannot
// be stopped. 64 pipelining connections blocked the jobs for seven seconds.
import { STATUS_CODES } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Registry } from 'prom-client';
import { keepRoomForNewcomers } from '../../core/room-for-newcomers.ts';

export interface Health {
  /** The process does its work: it looked at its jobs not long ago. */
  readonly alive: boolean;
  /** It can do its work: the database answers. */
  readonly ready: boolean;
  readonly state: string;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => Health;
  readonly registry: Registry;
  /** From accepted to closed, whatever is sent in between. Default 10000. */
  readonly longestConnectionMs?: number;
}

export interface RunningHttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Of more the oldest are closed. */
const mostConnections = 64;
const longestHead = 16_384;

/** Rejects with the system's error when it cannot listen there. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningHttpServer> {
  const { registry, health, longestConnectionMs = 10_000 } = options;
  const routes: Routes = { health, metrics: oneAtATime(() => registry.metrics()), registry };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const end = setTimeout(() => socket.destroy(), longestConnectionMs);
    sockets.add(socket);
    socket.once('close', () => {
      clearTimeout(end);
      sockets.delete(socket);
    });
    // A client that hangs up needs no answer.
    socket.on('error', () => undefined);
    onHead(socket, async (head) => {
      connections.asked(socket);
      send(socket, head, await answerTo(head, routes));
    });
  });
  const connections = keepRoomForNewcomers(server, mostConnections);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Calls back once, with request line and headers; reads nothing of what follows them. */
function onHead(socket: Socket, then: (head: string) => Promise<void>): void {
  let head = '';
  const take = (part: Buffer) => {
    head += part.toString('latin1', 0, longestHead);
    if (head.length < longestHead && !/\r?\n\r?\n/.test(head)) return;
    socket.off('data', take);
    socket.pause();
    then(head).catch(() => socket.destroy());
  };
  socket.on('data', take);
}

interface Routes {
  readonly health: () => Health;
  readonly metrics: () => Promise<string>;
  readonly registry: Registry;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly allow?: string;
}

async function answerTo(head: string, { health, metrics, registry }: Routes): Promise<Answer> {
  const [, method, path] = /^([A-Z]+) ([^\s?]+)\S* HTTP\/1\.[01]\r?\n/.exec(head) ?? [];
  if (method === undefined) return { status: 400, type: 'text/plain', body: 'an HTTP/1.1 request only\n' };
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, type: 'text/plain', body: 'GET and HEAD only\n', allow: 'GET, HEAD' };
  }
  if (path === '/healthz' || path === '/readyz') {
    const { alive, ready, state } = health();
    const ok = path === '/healthz' ? alive : alive && ready;
    return { status: ok ? 200 : 503, type: 'application/json', body: `${JSON.stringify({ ok, state })}\n` };
  }
  if (path !== '/metrics') return { status: 404, type: 'text/plain', body: '/healthz, /readyz, /metrics\n' };
  return await metrics().then(
    (body) => ({ status: 200, type: registry.contentType, body }),
    () => ({ status: 500, type: 'text/plain', body: 'the metrics cannot be read\n' }),
  );
}

function send(socket: Socket, head: string, { status, type, body, allow }: Answer): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(allow === undefined ? [] : [`allow: ${allow}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${head.startsWith('HEAD ') ? '' : body}`);
  socket.destroySoon();
}

/** Requests that come while it is read get the same answer. */
function oneAtATime<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}
