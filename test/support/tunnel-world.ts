// An https server under a name that is no loopback host, and the proxy that alone knows where that name is.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { selfSigned } from './self-signed.ts';

interface TunnelWorld {
  /** Address of the server, which only the proxy can resolve. */
  readonly url: string;
  readonly proxyPort: number;
  /** Every request that came to the server. */
  readonly requests: readonly IncomingMessage[];
  /** `name:port` and login of each CONNECT. */
  readonly tunnels: readonly { readonly to: string; readonly login: string | undefined }[];
  /** Everything that went through the tunnels towards the server. */
  seenByProxy(): Buffer;
  close(): Promise<void>;
}

/** @param refusal the proxy's answer to every CONNECT; `hang up`: none at all, `silence`: never one */
export async function startTunnelWorld(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  refusal?: number | 'hang up' | 'silence',
): Promise<TunnelWorld> {
  const requests: IncomingMessage[] = [];
  const tunnels: { to: string; login: string | undefined }[] = [];
  const seen: Buffer[] = [];
  const server = createTlsServer(selfSigned(), (request, response) => {
    requests.push(request);
    respond(request, response);
  });
  const proxy = createHttpServer((_, response) => response.writeHead(501).end());
  // The server of a tunnel no longer counts its socket as a connection.
  const sockets = new Set<Duplex>();
  proxy.on('connect', (request: IncomingMessage, socket) => {
    sockets.add(socket);
    tunnels.push({ to: request.url ?? '', login: request.headers['proxy-authorization'] });
    socket.on('error', () => undefined);
    if (refusal === 'silence') return;
    if (refusal === 'hang up') return socket.destroy();
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
    const through = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes) => seen.push(bytes));
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
  });
  const port = await listen(server);
  const proxyPort = await listen(proxy);
  return {
    url: `https://api.example.test:${port}`,
    proxyPort,
    requests,
    tunnels,
    seenByProxy: () => Buffer.concat(seen),
    close: async () => {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((one) => new Promise((done) => one.close(done))));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
