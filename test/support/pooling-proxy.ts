// A pooler on loopback, between programs and their Postgres. Logins go through to a session each; when one is done,
// the session stays with its connection or, as in transaction mode, is anybody's between two transactions.
import type { Socket } from 'node:net';
import { connectTo, type PostgresProxy, startProxy } from './database-proxy.ts';

/** Which of the free sessions a transaction gets; `own`: always the one of its connection, as in session mode. */
export type SessionChoice = 'own' | 'newest' | 'oldest';

interface Session {
  readonly socket: Socket;
  /** Who hears what it says. */
  connection: Socket | undefined;
  unread: Buffer;
}

export async function startPoolingProxy(databaseUrl: string, choice: SessionChoice): Promise<PostgresProxy> {
  const free: Session[] = [];
  const waiting: (() => void)[] = [];

  const open = (connection: Socket, socket: Socket): Session => {
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

  return await startProxy(databaseUrl, (connection, hold) => {
    let session: Session | undefined = open(connection, hold(connectTo(databaseUrl)));
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
}

/** Where the first message of a server ends; 0: it is not all there. A type, and a length that counts itself. */
function messageEnd(bytes: Buffer): number {
  if (bytes.length < 5) return 0;
  const end = 1 + bytes.readInt32BE(1);
  return bytes.length < end ? 0 : end;
}
