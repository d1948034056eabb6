// Counts how often a program waits for its Postgres, without a clock: answers are held back until everything that was asked
// is answered. Statements that are sent together are one wait; so is each step of opening a connection, and its end.
import { connectTo, startProxy } from './database-proxy.ts';

export interface CountingProxy {
  /** Connection string of the database behind it, by way of the proxy. */
  readonly url: string;
  /** Waits since it was asked before. */
  take(): number;
  close(): Promise<void>;
}

export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  let trips = 0;
  const proxy = await startProxy(databaseUrl, (client, hold) => {
    const server = hold(connectTo(databaseUrl));
    let isAsking = false;
    // The login is answered as a statement is.
    let asked = 1;
    let held: Buffer[] = [];
    let isAnswered = false;
    const readClient = readTypes('', (type) => {
      if (type === 'Q' || type === 'S') asked += 1;
    });
    const readServer = readTypes('typed', (type) => {
      if (type === 'Z') asked -= 1;
      // Steps of a login, and a copy, wait for the client.
      isAnswered ||= asked === 0 || type === 'R' || type === 'G';
    });
    client.on('data', (data) => {
      if (!isAsking) trips += 1;
      isAsking = true;
      readClient(data);
      server.write(data);
    });
    server.on('data', (data) => {
      held.push(data);
      readServer(data);
      if (!isAnswered) return;
      const answer = Buffer.concat(held);
      held = [];
      isAnswered = false;
      isAsking = false;
      client.write(answer);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  return {
    url: proxy.url,
    take() {
      const taken = trips;
      trips = 0;
      return taken;
    },
    close: proxy.close,
  };
}

/** Reads the types of messages as they end, however they are cut. @param first `typed`; or a message without a type, as a client's first is */
function readTypes(first: 'typed' | '', told: (type: string) => void): (data: Buffer) => void {
  let isTyped = first === 'typed';
  let head = Buffer.alloc(0);
  let left = 0;
  let type = '';
  return (data) => {
    for (let at = 0; at < data.length; ) {
      if (left === 0) {
        const size = isTyped ? 5 : 4;
        const more = data.subarray(at, at + size - head.length);
        head = Buffer.concat([head, more]);
        at += more.length;
        if (head.length < size) return;
        type = isTyped ? String.fromCharCode(head.readUInt8(0)) : '';
        left = head.readInt32BE(size - 4) - 4;
        head = Buffer.alloc(0);
        isTyped = true;
      }
      const step = Math.min(left, data.length - at);
      left -= step;
      at += step;
      if (left === 0) told(type);
    }
  };
}
