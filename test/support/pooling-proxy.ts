// A pooler on loopback, between programs and their Postgres. Logins go through to a session each, under a process id of
// the pooler's own; when one is done, the session stays with its connection or, as in transaction mode, is anybody's
// between two transactions.
import type { Socket } from 'node:net';
import { connectTo, type PostgresProxy, startProxy } from './database-proxy.ts';

/**
 * Says which of the free sessions a transaction gets. `own`: always the one of its connection, as in session mode.
 * `kept`: the same, and the next connection gets it as it was left.
 */
export type SessionChoice = 'own' | 'kept' | 'newest' | 'oldest';

interface Session {
  readonly socket: Socket;
  /** Who hears what it says. */
  connection: Socket | undefined;
  unread: Buffer;
}

/** @param slots so many connections that asked something are served at a time; others wait, logged in */
export async function startPoolingProxy(
  databaseUrl: string,
  choice: SessionChoice,
  slots = Number.POSITIVE_INFINITY,
): Promise<PostgresProxy> {
  let served = 0;
  const queued = new Set<() => void>();
  const free: Session[] = [];
  const handsRound = choice === 'newest' || choice === 'oldest';
  const waiting: (() => void)[] = [];

  const open = (connection: Socket, socket: Socket): Session => {
    const session: Session = { socket, connection, unread: Buffer.alloc(0) };
    socket.on('data', (bytes) => {
      session.unread = Buffer.concat([session.unread, bytes]);
      for (let end = messageEnd(session.unread); end > 0; end = messageEnd(session.unread)) {
        const message = Buffer.from(session.unread.subarray(0, end));
        session.unread = session.unread.subarray(end);
        const type = message.toString('latin1', 0, 1);
        if (type === 'K') message.writeInt32BE(message.readInt32BE(5) + 1_000_000, 5);
        session.connection?.write(message);
        const isIdle = type === 'Z' && message[5] === 0x49;
        if (!isIdle || !handsRound) continue;
        session.connection = undefined;
        free.push(session);
        waiting.shift()?.();
      }
    });
    return session;
  };
  const take = () => (choice === 'oldest' ? free.shift() : free.pop());

  return await startProxy(databaseUrl, (connection, hold) => {
    let session: Session | undefined = open(connection, hold(connectTo(databaseUrl)));
    const login = session;
    let hasAsked = false;
    let chunks: Buffer[] = [];
    const send = () => {
      if (handsRound && session?.connection !== connection) session = take();
      if (session === undefined) {
        waiting.push(send);
        return;
      }
      session.connection = connection;
      for (const chunk of chunks) session.socket.write(chunk);
      chunks = [];
    };
    let hasSlot = false;
    const start = () => {
      hasSlot = true;
      served += 1;
      queued.delete(start);
      send();
    };
    connection.on('close', () => {
      queued.delete(start);
      if (!hasSlot) return;
      served -= 1;
      for (const next of [...queued].slice(0, 1)) next();
    });
    connection.on('data', (bytes) => {
      const type = bytes.toString('latin1', 0, 1);
      // Terminate ends the connection, and no session.
      if (choice !== 'own' && type === 'X') return;
      if (choice === 'kept' && !hasAsked && (type === 'Q' || type === 'P')) {
        hasAsked = true;
        session = take() ?? session;
        if (session !== login) login.socket.destroy();
      }
      chunks.push(bytes);
      if (hasSlot || (type !== 'Q' && type !== 'P')) send();
      else if (served < slots) start();
      else queued.add(start);
    });
    connection.on('close', () => {
      if (choice === 'kept' && hasAsked && session !== undefined) free.push(session);
      else if (session?.connection === connection) session.socket.destroy();
      if (choice === 'own') login.socket.destroy();
    });
  });
}

/** Finds the end of a server's first message, a type and a length that counts itself; 0: it is not all there. */
function messageEnd(bytes: Buffer): number {
  if (bytes.length < 5) return 0;
  const end = 1 + bytes.readInt32BE(1);
  return bytes.length < end ? 0 : end;
}

/** Puts a transaction around what it takes for a write, as pgpool-II does, and leaves it open. */
export async function startHoldingProxy(databaseUrl: string): Promise<PostgresProxy> {
  const begin = Buffer.from('Q\0\0\0\x0abegin\0', 'latin1');
  return await startProxy(databaseUrl, (connection, hold) => {
    const server = hold(connectTo(databaseUrl));
    let held: Buffer | undefined;
    server.on('data', (bytes) => {
      if (held === undefined) return void connection.write(bytes);
      // Nobody hears of its own.
      server.write(held);
      held = undefined;
    });
    connection.on('data', (bytes) => {
      const isWrite =
        bytes.toString('latin1', 0, 1) === 'P' && /^(insert|update|delete)\b/.test(textOf(bytes));
      if (isWrite) held = bytes;
      server.write(isWrite ? begin : bytes);
    });
    connection.on('close', () => server.destroy());
  });
}

/** Reads the text of a statement that is parsed, which stands behind type, length and name. */
const textOf = (bytes: Buffer) => bytes.toString('latin1', bytes.indexOf(0, 5) + 1);
