// A managed Postgres as it looks from outside: it takes encrypted connections only, with a certificate of its own. Behind
// it is the test's Postgres, which need not know TLS.
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './self-signed.ts';

export interface TlsServer {
  /** Of the database behind it, without `sslmode`. */
  readonly url: string;
  /** Encrypted connections so far. */
  readonly encrypted: () => number;
  close(): Promise<void>;
}

const sslRequest = Buffer.from('0000000804d2162f', 'hex');

export async function startTlsBefore(databaseUrl: string, certificate: Certificate): Promise<TlsServer> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let encrypted = 0;
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    hold(client);
    client.once('data', (first) => {
      if (!first.equals(sslRequest)) return void client.end(refusal());
      client.write('S');
      const open = new TLSSocket(client, { isServer: true, ...certificate });
      hold(open);
      open.once('secure', () => {
        encrypted += 1;
        const behind = connect(Number(target.port || 5432), target.hostname);
        hold(behind);
        open.pipe(behind);
        behind.pipe(open);
        behind.on('close', () => open.destroy());
        open.on('close', () => behind.destroy());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    encrypted: () => encrypted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** invalid_authorization_specification, as Postgres says it where pg_hba.conf has hostssl alone. */
function refusal(): Buffer {
  const fields = [
    'SFATAL',
    'C28000',
    'Mno pg_hba.conf entry for host "127.0.0.1", user "u", database "d", no encryption',
  ];
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
