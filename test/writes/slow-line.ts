// A line to the service that carries so many bytes a millisecond: a body is on its way long enough to die with its sender.
import { Transform } from 'node:stream';
import { connectTo, type PostgresProxy, startProxy } from '../support/database-proxy.ts';

/** The end of a part waits for its beginning. */
const pieceMs = 5;

export async function startSlowLine(toPort: number, bytesPerMs: number): Promise<PostgresProxy> {
  const service = `http://127.0.0.1:${toPort}`;
  return await startProxy(service, (near, hold) => {
    const far = hold(connectTo(service));
    near.pipe(slowed(bytesPerMs)).pipe(far).pipe(near);
    // Who dies takes the other end along.
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
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
