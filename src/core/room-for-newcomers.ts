// A server with so many connections at most, on which nobody who holds them open crowds out a probe: who comes last
// has something to say, so the one that said nothing for longest makes room.
import type { Server, Socket } from 'node:net';

export interface Connections {
  asked(socket: Socket): void;
  answered(socket: Socket): void;
}

/** Closes a connection when one more than `most` comes: the oldest without a request, else the oldest. */
export function keepRoomForNewcomers(server: Server, most: number): Connections {
  // Both in the order of what happened last.
  const silent = new Set<Socket>();
  const asking = new Set<Socket>();
  const forget = (socket: Socket) => {
    silent.delete(socket);
    asking.delete(socket);
  };
  server.on('connection', (socket) => {
    if (silent.size + asking.size >= most) {
      const [oldest] = silent.size > 0 ? silent : asking;
      if (oldest !== undefined) {
        forget(oldest);
        oldest.destroy();
      }
    }
    silent.add(socket);
    socket.once('close', () => forget(socket));
  });
  const moved = (socket: Socket, to: Set<Socket>) => {
    forget(socket);
    if (!socket.destroyed) to.add(socket);
  };
  return { asked: (socket) => moved(socket, asking), answered: (socket) => moved(socket, silent) };
}
