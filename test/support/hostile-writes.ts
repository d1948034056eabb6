// A service that takes writes and then misbehaves by plan. It writes its answers by hand, so that it can break them
// anywhere, and knows which lines it truly took.
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { startLoopbackServer } from './loopback-server.ts';

export interface WriteFault {
  /** How much of the request is read before anything else happens. Default: all of it. */
  readonly reads?: 'head' | 'whole';
  /** Whether the service holds the lines from then on. Default: when it has read all and the status is 2xx. */
  readonly takes?: boolean;
  /** Default 202. */
  readonly status?: number;
  /** Default: as the sandbox answers. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent before the answer's head, such as `HTTP/1.1 100 Continue`. */
  readonly interim?: string;
  /** Until the answer begins. */
  readonly waitMs?: number;
  /** Between the answer's head and its body. */
  readonly pauseMs?: number;
  /**
   * answer: whole, then the connection closes. reset: no answer. half body: the head and half of the body, then a
   * reset. half head: not even that. silence: the connection stays open without a word.
   */
  readonly ends?: 'answer' | 'reset' | 'half body' | 'half head' | 'silence';
}

export interface HostileWrites {
  readonly url: string;
  /** Lines that it took, in the order they came, as often as they came. */
  readonly taken: readonly string[];
  /** Requests of which at least the head came. */
  requests(): number;
  close(): Promise<void>;
}

/** `plan` says what becomes of request number 1, 2, …; `{}` is a service that behaves. */
export async function startHostileWrites(plan: (number: number) => WriteFault): Promise<HostileWrites> {
  const taken: string[] = [];
  const server = await startLoopbackServer(async (request, _, number) => {
    const fault = plan(number);
    if (fault.reads !== 'head') {
      const body = await text(request);
      if (fault.takes ?? (fault.status ?? 202) < 300) taken.push(...body.split('\n').filter(Boolean));
    }
    await misbehave(request.socket, fault);
  });
  return { url: server.url, taken, requests: () => server.requests.length, close: server.close };
}

async function misbehave(socket: Socket, fault: WriteFault): Promise<void> {
  const { ends = 'answer', status = 202, body = '{"aceptados":1,"descartados":0}' } = fault;
  await pause(fault.waitMs);
  if (fault.interim !== undefined) socket.write(`${fault.interim}\r\n\r\n`);
  if (ends === 'silence') return;
  if (ends === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  const headers = { 'content-type': 'application/json', connection: 'close', ...fault.headers };
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const head = [`HTTP/1.1 ${status} Hostile`, ...lines.map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
  if (ends === 'half head') {
    socket.write(head.slice(0, head.length / 2), () => socket.resetAndDestroy());
    return;
  }
  socket.write(`${head}\r\n\r\n`);
  await pause(fault.pauseMs);
  if (ends === 'half body') {
    // A reset overtakes what was written just before it.
    socket.write(body.slice(0, body.length / 2));
    await pause(20);
    socket.resetAndDestroy();
    return;
  }
  socket.write(body, () => socket.destroy());
}

function pause(ms = 0): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
