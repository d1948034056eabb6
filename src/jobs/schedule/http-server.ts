// /healthz, /readyz and /metrics, for supervisors and Prometheus. Reads only, and shows no secret.

import type { IncomingMessage } from 'node:http';
import type { Registry } from 'prom-client';
import { type Clock, linkSignals, sleepUntilStopped } from '../../core/clock.ts';
import { type ListeningServer, startServer } from '../../core/http.ts';

/**
 * A check of the database every few seconds, so that /readyz and the metrics know of a lost one at once and
 * not at the scheduler's next look.
 */
interface Pulse {
  isUp(): boolean;
  /** Asks until `stop` is aborted; never rejects. */
  beat(stop: AbortSignal): Promise<void>;
}

interface PulseOptions {
  readonly clock: Clock;
  /** Rejects when the database is lost; may hang as long as the network does. */
  readonly ask: () => Promise<unknown>;
  readonly onBeat?: (isUp: boolean) => void;
}

const everyMs = 3_000;
/** Less than ten seconds, together with the pause before. */
const patienceMs = 5_000;

export function createPulse({ clock, ask, onBeat }: PulseOptions): Pulse {
  let up = false;
  let asking: Promise<boolean> | undefined;
  const answers = async (stop: AbortSignal): Promise<boolean> => {
    // A question that hangs is not asked twice: each would hold a place in the queue of the connection.
    asking ??= ask()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
    const waiting = linkSignals(stop);
    const tooLate = clock.sleep(patienceMs, waiting.signal).then(
      () => false,
      () => false,
    );
    const answered = await Promise.race([asking, tooLate]);
    waiting.abort(undefined);
    waiting.release();
    return answered;
  };
  return {
    isUp: () => up,
    async beat(stop) {
      while (!stop.aborted) {
        up = await answers(stop);
        onBeat?.(up);
        await sleepUntilStopped(clock, everyMs, stop);
      }
    },
  };
}

export interface Health {
  /** True if the process checked its jobs recently. */
  readonly alive: boolean;
  readonly ready: boolean;
  readonly state: string;
}

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => Health;
  readonly registry: Registry;
  /** Longest time for a request to arrive, and for an answer to be read. Default 10000. */
  readonly patienceMs?: number;
}

/** Rejects with the system's error when it cannot listen there. */
export async function startHttpServer(options: HttpServerOptions): Promise<ListeningServer> {
  const { host, port, registry, health, patienceMs = 10_000 } = options;
  const routes: Routes = { health, metrics: oneAtATime(() => registry.metrics()), registry };
  return await startServer(
    port,
    async (request, response) => {
      const { status, headers, body } = await answerTo(request, routes);
      const all = { ...headers, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' };
      response.writeHead(status, { ...all, connection: 'close' }).end(request.method === 'HEAD' ? '' : body);
    },
    // Pipelined requests cost the jobs their time: only the first is answered.
    { host, patienceMs, silenceMs: patienceMs, mostRequests: 1 },
  );
}

interface Routes {
  readonly health: () => Health;
  readonly metrics: () => Promise<string>;
  readonly registry: Registry;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const text = (status: number, body: string, headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
});

async function answerTo(
  { method, url = '/' }: IncomingMessage,
  { health, metrics, registry }: Routes,
): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET and HEAD only\n', { allow: 'GET, HEAD' });
  const [path] = url.split('?');
  if (path === '/healthz' || path === '/readyz') {
    const { alive, ready, state } = health();
    const ok = path === '/healthz' ? alive : alive && ready;
    const headers = { 'content-type': 'application/json' };
    return { status: ok ? 200 : 503, headers, body: `${JSON.stringify({ ok, state })}\n` };
  }
  if (path !== '/metrics') return text(404, '/healthz, /readyz, /metrics\n');
  return await metrics().then(
    (body) => text(200, body, { 'content-type': registry.contentType }),
    () => text(500, 'the metrics cannot be read\n'),
  );
}

/** Gives requests that come while it is read the same answer. */
function oneAtATime<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}
