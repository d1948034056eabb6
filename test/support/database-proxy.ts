// Stands between a program and its Postgres on loopback: what goes away and comes back elsewhere, and what
// `pooling-proxy.ts` and `tls.test.ts` make of it.
import { connect, createServer, type Socket } from 'node:net';
import { withDatabase } from './database-url.ts';

export interface PostgresProxy {
  /** Connection string of the database behind it, by way of the proxy. */
  readonly url: string;
  /** Ends what is open. */
  cut(): void;
  close(): Promise<void>;
}

/** @param serve what to do with a client; `hold` ends a socket with the proxy, whatever becomes of it */
export async function startProxy(
  databaseUrl: string,
  serve: (client: Socket, hold: <Held extends Socket>(socket: Held) => Held) => void,
): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  const hold = <Held extends Socket>(socket: Held) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (client) => serve(hold(client), hold));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

export const connectTo = (databaseUrl: string) => {
  const { port, hostname } = new URL(databaseUrl);
  return connect({ port: Number(port || 5432), host: hostname, noDelay: true });
};

/** Both ways, until one of them ends. */
export function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}

export interface DatabaseProxy {
  /** The address of the database behind it, by way of the proxy. */
  url(database: string): string;
  /** Sets where connections go from now on; undefined: they are refused, and those that are open end. */
  setTarget(databaseUrl: string | undefined): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target: string | undefined = databaseUrl;
  const proxy = await startProxy(databaseUrl, (client, hold) => {
    if (target === undefined) client.destroy();
    else join(client, hold(connectTo(target)));
  });
  return {
    url: (database) => withDatabase(proxy.url, database),
    setTarget(url) {
      target = url;
      if (url === undefined) proxy.cut();
    },
    close: proxy.close,
  };
}
