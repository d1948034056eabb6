// /healthz, /readyz and /metrics, for supervisors and Prometheus. Reads only, and says no secret.
import { createServer, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

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
}

export interface RunningHttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Rejects with the system's error when it cannot listen there. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningHttpServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(response, 405, 'text/plain', 'GET and HEAD only\n');
    }
    if (path === '/healthz' || path === '/readyz') {
      const health = options.health();
      const fine = path === '/healthz' ? health.alive : health.alive && health.ready;
      return answer(
        response,
        fine ? 200 : 503,
        'application/json',
        `${JSON.stringify({ ok: fine, state: health.state })}\n`,
      );
    }
    if (path === '/metrics') {
      options.registry.metrics().then(
        (text) => answer(response, 200, options.registry.contentType, text),
        () => answer(response, 500, 'text/plain', 'the metrics cannot be read\n'),
      );
      return undefined;
    }
    return answer(response, 404, 'text/plain', '/healthz, /readyz, /metrics\n');
  });
  // Probes and scrapes are short; whatever takes longer is cut off.
  server.requestTimeout = 10_000;
  server.headersTimeout = 10_000;
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
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
