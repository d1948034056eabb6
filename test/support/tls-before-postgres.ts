// A managed Postgres as it looks from outside: it takes encrypted connections only, with a certificate of its own. Behind
// it is the test's Postgres, which need not know TLS.
import { TLSSocket } from 'node:tls';
import { connectTo, join, type PostgresProxy, startProxy } from './database-proxy.ts';
import type { Certificate } from './self-signed.ts';

/** Its address is without `sslmode`. */
export interface TlsServer extends PostgresProxy {
  /** Encrypted connections so far. */
  readonly encrypted: () => number;
}

const sslRequest = Buffer.from('0000000804d2162f', 'hex');

export async function startTlsBefore(databaseUrl: string, certificate: Certificate): Promise<TlsServer> {
  let encrypted = 0;
  const proxy = await startProxy(databaseUrl, (client, hold) => {
    client.once('data', (first) => {
      if (!first.equals(sslRequest)) return void client.end(refusal());
      client.write('S');
      const open = hold(new TLSSocket(client, { isServer: true, ...certificate }));
      open.once('secure', () => {
        encrypted += 1;
        join(open, hold(connectTo(databaseUrl)));
      });
    });
  });
  return { ...proxy, encrypted: () => encrypted };
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
