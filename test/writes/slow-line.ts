// A line to the service that carries so many bytes a millisecond: a body is on its way long enough to die with its sender.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The end of a part waits for its beginning. */
const pieceMs = 5;

interface SlowLine {
  readonly url: string;
  close(): Promise<void>;
}

export async function startSlowLine(toPort: number, bytesPerMs: number): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        // Who dies takes the other end along.
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(slowed(bytesPerMs)).pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function slowed(bytesPerMs: number): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      const pass = (from: number) => {
        const piece = part.subarray(from, from + bytesPerMs * pieceMs);
        setTimeout(() => {
          this.push(piece);
          const next = from + piece.length;
          if (next < part.length) pass(next);
          else done();
        }, piece.length / bytesPerMs);
      };
      pass(0);
    },
  });
}
