// A service that takes writes and then misbehaves by plan. It speaks HTTP by hand, so that it can break it anywhere, and
// knows which lines it truly took.
import { type AddressInfo, createServer, type Socket } from 'node:net';

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
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let fault: WriteFault | undefined;
    listen(socket, {
      isEnough: (isWhole) => {
        if (fault === undefined) {
          requests += 1;
          fault = plan(requests);
        }
        return isWhole || fault.reads === 'head';
      },
      onEnough: (body) => {
        const { takes, status = 202 } = fault ?? {};
        if (takes ?? (body !== undefined && status < 300)) taken.push(...linesOf(body ?? ''));
        void misbehave(socket, fault ?? {});
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Listener {
  /** Asked with each part that comes, from the head on. */
  isEnough(isWhole: boolean): boolean;
  /** `body`: undefined when not all of it has come. */
  onEnough(body: string | undefined): void;
}

/** Stops reading as soon as it is enough: what is left stays in the buffers of the connection. */
function listen(socket: Socket, { isEnough, onEnough }: Listener): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  let wanted: { readonly headBytes: number; readonly bytes: number } | undefined;
  const hear = (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
    wanted ??= measure(Buffer.concat(parts));
    if (wanted === undefined) return;
    const isWhole = bytes >= wanted.bytes;
    if (!isEnough(isWhole)) return;
    socket.off('data', hear);
    socket.pause();
    onEnough(isWhole ? Buffer.concat(parts).toString('utf8', wanted.headBytes) : undefined);
  };
  socket.on('data', hear);
}

/** Bytes of the head and of the whole request; undefined before all of the head has come. */
function measure(start: Buffer): { readonly headBytes: number; readonly bytes: number } | undefined {
  const end = start.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /^content-length: *(\d+)/im.exec(start.toString('latin1', 0, end))?.[1];
  return { headBytes: end + 4, bytes: end + 4 + Number(length ?? 0) };
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

function linesOf(body: string): readonly string[] {
  return body.split('\n').filter((line) => line !== '');
}
