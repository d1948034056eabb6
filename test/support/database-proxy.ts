// Stands between a program and its Postgres, so that the server may go away and come back elsewhere.
import { connect, createServer, type Socket } from 'node:net';
import { withDatabase } from './database-url.ts';

export interface DatabaseProxy {
  /** The address of the database behind it, by way of the proxy. */
  url(database: string): string;
  /** Where connections go from now on; undefined: they are refused, and those that are open end. */
  setTarget(databaseUrl: string | undefined): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target: URL | undefined = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    hold(client);
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    hold(upstream);
    client.pipe(upstream).pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url(database) {
      const url = new URL(withDatabase(databaseUrl, database));
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    setTarget(url) {
      target = url === undefined ? undefined : new URL(url);
      if (url === undefined) for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
