// Counts how often a program waits for its Postgres. Statements that are sent together are one wait; so is each step of
// opening a connection, and its end.
import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, startProxy } from './database-proxy.ts';

export interface CountingProxy {
  /** Of the database behind it, by way of the proxy. */
  readonly url: string;
  /** Since it was asked before. */
  take(): { readonly trips: number; readonly connections: number };
  close(): Promise<void>;
}

/** @param oneWayMs on the way; what is asked before the answer is back counts as sent together, so it takes a little */
export async function startCountingProxy(databaseUrl: string, oneWayMs: number): Promise<CountingProxy> {
  let counted = { trips: 0, connections: 0 };
  const proxy = await startProxy(databaseUrl, (client, hold) => {
    const server = hold(connectTo(databaseUrl));
    counted.connections += 1;
    let isAsking = false;
    client.on('data', (data) => {
      if (!isAsking) counted.trips += 1;
      isAsking = true;
      void pause(oneWayMs).then(() => server.write(data));
    });
    server.on('data', (data) => {
      void pause(oneWayMs).then(() => {
        isAsking = false;
        client.write(data);
      });
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  return {
    url: proxy.url,
    take() {
      const taken = counted;
      counted = { trips: 0, connections: 0 };
      return taken;
    },
    close: proxy.close,
  };
}
