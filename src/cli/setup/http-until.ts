// /healthz, /readyz and /metrics of a process that works for weeks, as long as it works.
import { once } from 'node:events';
import { sleepUntilStopped, systemClock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { type HttpServerOptions, startHttpServer } from '../../jobs/schedule/http-server.ts';
import type { Settings } from './context.ts';

const tryAgainMs = 15_000;

/**
 * A taken port does not stop the work: another process of this machine may have it until it dies. Resolves after the
 * stop, when no connection is left.
 */
export async function httpUntil(
  stop: AbortSignal,
  { config, logger }: Settings,
  answers: Pick<HttpServerOptions, 'health' | 'registry'>,
): Promise<void> {
  const { httpHost: host, httpPort: port } = config;
  let said = false;
  while (port !== 0 && !stop.aborted) {
    try {
      const server = await startHttpServer({ ...answers, host, port });
      logger.info({ event: 'http.listening', host, port: server.port });
      if (!stop.aborted) await once(stop, 'abort');
      return await server.close();
    } catch (error) {
      const fix = 'It is tried again; set AIRANK_HTTP_PORT to another port, or to 0';
      if (!said) logger.warn({ event: 'http.not_listening', host, port, error: messageOf(error), fix });
      said = true;
    }
    await sleepUntilStopped(systemClock, tryAgainMs, stop);
  }
}
