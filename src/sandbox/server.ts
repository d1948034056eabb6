// Serves the API (api.md, "The HTTP interface") locally, with a world that changes by date. Loopback only.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Application } from './application.ts';
import { faultOf, type Told } from './faults.ts';
import { dateOption, type SandboxOptions, settingsOf } from './options.ts';
import { problem } from './reply.ts';
import { dayOf } from './world/scope.ts';
import type { UploadStats } from './writes.ts';

export interface SandboxStats {
  readonly requests: number;
  readonly refused: number;
  /** Requests by route; `airank/:id` is the public one, `?` any that the reference does not have. */
  readonly byRoute: Readonly<Record<string, number>>;
  readonly received: UploadStats;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  readonly keys: readonly string[];
  readonly publicIds: readonly string[];
  /** Moves the world to a date, `YYYY-MM-DD`. Throws RangeError if it is not one. */
  setDate(date: string): void;
  stats(): SandboxStats;
  /** Returns the bot log of the account's web servers on the date, in combined format after the host. */
  accessLog(): string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

/** Starts a sandbox; resolves once it listens. Rejects with RangeError for a malformed option. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const { seed, faults, port: wanted, apiKeys } = settings;
  const application = new Application(settings);
  const byRoute = new Map<string, number>();
  let requests = 0;
  let refused = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faultOf(seed, faults, requests);
    requests += 1;
    const { reply, headers, route, admitted, asked } = await application.answer(request, requests);
    byRoute.set(route, (byRoute.get(route) ?? 0) + 1);
    if (reply.status === 429) refused += 1;
    const told = (await faults.answer?.(asked, reply)) ?? reply;
    if (fault.delayMs > 0) await delay(fault.delayMs, undefined, { ref: false });
    if (!admitted || fault.kind === 'none') return send(response, told, headers);
    const failed = problem(fault.status, 'error_interno', 'Error de prueba del servidor local.');
    send(response, fault.kind === 'drop' ? 'drop' : failed, headers);
  };
  // Longer than any caller's idle time, so that the server is never the first to close.
  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 65_536 }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    keys: apiKeys,
    publicIds: application.publicIds(),
    setDate: (date) => application.setDay(dayOf(dateOption('date', date))),
    stats: () => ({
      requests,
      refused,
      byRoute: Object.fromEntries(byRoute),
      received: application.received(),
    }),
    accessLog: () => application.accessLog(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, told: Told, headers: Readonly<Record<string, string>>): void {
  if (told === 'drop') {
    response.destroy();
    return;
  }
  if (told === 'cut') {
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json', 'Content-Length': '1000' });
    response.write('{"datos":[{"id":1');
    setTimeout(() => response.destroy(), 5);
    return;
  }
  const { status, contentType, body } = told;
  const length = { 'Content-Type': contentType, 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...length, ...headers, ...told.headers });
  response.end(body);
}
