// A pooler on loopback, between programs and their Postgres. Logins go through to a session each; when one is done,
// the session stays with its connection or, as in transaction mode, is anybody's between two transactions.
import { connect, createServer, type Socket } from 'node:net';

export interface PoolingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Which of the free sessions a transaction gets; `own`: always the one of its connection, as in session mode. */
export type SessionChoice = 'own' | 'newest' | 'oldest';

interface Session {
  readonly socket: Socket;
  /** Who hears what it says. */
  connection: Socket | undefined;
  unread: Buffer;
}

export async function startPoolingProxy(databaseUrl: string, choice: SessionChoice): Promise<PoolingProxy> {
  const target = new URL(databaseUrl);
  const free: Session[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const hold = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };

  const open = (connection: Socket): Session => {
    const socket = connect(Number(target.port), target.hostname);
    hold(socket);
    const session: Session = { socket, connection, unread: Buffer.alloc(0) };
    socket.on('data', (bytes) => {
      session.connection?.write(bytes);
      session.unread = Buffer.concat([session.unread, bytes]);
      for (let end = messageEnd(session.unread); end > 0; end = messageEnd(session.unread)) {
        const isIdle = session.unread.toString('latin1', 0, 1) === 'Z' && session.unread[5] === 0x49;
        session.unread = session.unread.subarray(end);
        if (!isIdle || choice === 'own') continue;
        session.connection = undefined;
        free.push(session);
        waiting.shift()?.();
      }
    });
    return session;
  };
  const take = () => (choice === 'newest' ? free.pop() : free.shift());

  const server = createServer((connection) => {
    hold(connection);
    let session: Session | undefined = open(connection);
    const login = session;
    let chunks: Buffer[] = [];
    const send = () => {
      if (session?.connection !== connection) session = take();
      if (session === undefined) {
        waiting.push(send);
        return;
      }
      session.connection = connection;
      for (const chunk of chunks) session.socket.write(chunk);
      chunks = [];
    };
    connection.on('data', (bytes) => {
      // Terminate ends the connection, and no session.
      if (choice !== 'own' && bytes.toString('latin1', 0, 1) === 'X') return;
      chunks.push(bytes);
      send();
    });
    connection.on('close', () => {
      if (session?.connection === connection) session.socket.destroy();
      if (choice === 'own') login.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Where the first message of a server ends; 0: it is not all there. A type, and a length that counts itself. */
function messageEnd(bytes: Buffer): number {
  if (bytes.length < 5) return 0;
  const end = 1 + bytes.readInt32BE(1);
  return bytes.length < end ? 0 : end;
}
