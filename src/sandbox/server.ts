// The API (api.md, "The HTTP interface") as a local server, with a world that changes by date. Loopback only.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Answered, Application } from './application.ts';
import { type Fault, faultOf } from './faults.ts';
import { dateOption, type SandboxOptions, type SandboxSettings, settingsOf } from './options.ts';
import type { UploadStats } from './received-lines.ts';
import { problem, type Reply } from './reply.ts';
import { dayOf } from './world/scope.ts';

export interface SandboxStats {
  readonly requests: number;
  readonly refused: number;
  /** Requests by route; `airank/:id` is the public one, `?` what the reference has not. */
  readonly byRoute: Readonly<Record<string, number>>;
  readonly received: UploadStats;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  readonly keys: readonly string[];
  readonly publicIds: readonly string[];
  /** Moves the world to a date, `YYYY-MM-DD`. Throws RangeError when it is none. */
  setDate(date: string): void;
  stats(): SandboxStats;
  /** The log of bots of the account's web servers on the date, in combined format after the host. */
  accessLog(): string;
  hasReceived(number: number): boolean;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/** Starts a sandbox; resolves once it listens. Rejects with RangeError for a malformed option. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const application = new Application(settings);
  const byRoute = new Map<string, number>();
  let requests = 0;
  let refused = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faultOf(settings.seed, settings.faults, requests);
    requests += 1;
    const answered = await application.answer(request);
    byRoute.set(answered.route, (byRoute.get(answered.route) ?? 0) + 1);
    if (answered.reply.status === 429) refused += 1;
    if (fault.delayMs > 0) await delay(fault.delayMs, undefined, { ref: false });
    send(settings, request, response, answered, fault);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  // Longer than a caller's own idle time, so that it is never the server that closes first.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    port,
    keys: settings.apiKeys,
    publicIds: application.publicIds(),
    setDate: (date) => application.setDay(dayOf(dateOption('date', date))),
    stats: () => {
      const received = application.received.stats();
      return { requests, refused, byRoute: Object.fromEntries(byRoute), received };
    },
    accessLog: () => application.accessLog(),
    hasReceived: (number) => application.received.has(number),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Below this a body is not worth compressing. */
const gzipFromBytes = 1024;

function send(
  settings: SandboxSettings,
  request: IncomingMessage,
  response: ServerResponse,
  answered: Answered,
  fault: Fault,
): void {
  if (answered.admitted && fault.kind === 'drop') {
    request.socket.destroy();
    return;
  }
  const failed = answered.admitted && fault.kind === 'error';
  const reply: Reply = failed
    ? problem(fault.status, 'error_interno', 'Error de prueba del servidor local.')
    : answered.reply;
  const whole = Buffer.from(reply.body);
  const cut = fault.kind === 'broken' && reply.status === 200;
  const plain = cut ? whole.subarray(0, Math.floor(whole.length * fault.share)) : whole;
  const zipped =
    settings.gzip &&
    plain.length >= gzipFromBytes &&
    /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = zipped ? gzipSync(plain, { level: 1 }) : plain;
  response.writeHead(reply.status, {
    'Content-Type': reply.contentType,
    'Content-Length': String(body.length),
    ...(zipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
    ...(reply.close ? { Connection: 'close' } : {}),
    ...answered.headers,
  });
  response.end(body);
}
