// The sandbox with an account for each key, slow enough to be killed in. It counts what each key asked, and when.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Application } from '../../src/sandbox/application.ts';
import { type SandboxOptions, settingsOf } from '../../src/sandbox/options.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';

export interface Asked {
  /** Named after its key; '': no key that is known. */
  readonly account: string;
  readonly atMs: number;
  readonly status: number;
}

export interface KeyedServer {
  readonly url: string;
  /** In the order in which they came. */
  readonly asked: readonly Asked[];
  /** Told of every request, with how many there were so far. */
  heard: ((count: number, account: string) => void) | undefined;
  close(): Promise<void>;
}

/** @param delayMs how long each answer takes */
export async function startKeyedServer(
  keys: readonly string[],
  options: SandboxOptions & { readonly delayMs?: number } = {},
): Promise<KeyedServer> {
  const { delayMs = 0, ...rest } = options;
  const unlimited = { perMinute: 1_000_000, perDay: 1_000_000 };
  const application = new Application(settingsOf({ apiKeys: keys, ...unlimited, ...rest }));
  const asked: Asked[] = [];
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const atMs = Date.now();
    const serve = async () => {
      const { reply, headers } = await application.answer(request);
      asked.push({ account: keys.includes(key) ? key : '', atMs, status: reply.status });
      state.heard?.(asked.length, key);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      response.writeHead(reply.status, { 'content-type': reply.contentType, ...headers });
      response.end(reply.body);
    };
    serve().catch(() => response.destroy());
  };
  const server = await startLoopbackServer(respond, 0, { keepAliveTimeout: 75_000 });
  const state: KeyedServer = {
    url: server.url,
    asked,
    heard: undefined,
    close: () => server.close(),
  };
  return state;
}
