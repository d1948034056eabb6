// Talks with a Chromium over two pipes: JSON, each message ended by a NUL. No port is opened.
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const messageShape = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

type Answer = Readonly<Record<string, unknown>>;

export interface DevtoolsPipe {
  /** @throws Error when the program refuses, or ends before it answers */
  ask(method: string, given?: Readonly<Record<string, unknown>>, sessionId?: string): Promise<Answer>;
  /** Resolves at the next event of that name. Call it before what causes it. */
  next(event: string): Promise<void>;
  /** What is waited for fails with it. */
  fail(error: Error): void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export function openDevtoolsPipe(to: Writable, from: Readable): DevtoolsPipe {
  const answers = new Map<number, Waiting>();
  const events = new Map<string, Waiting>();
  let asked = 0;
  let failure: Error | undefined;
  let rest: Buffer[] = [];

  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of [...answers.values(), ...events.values()]) reject(failure);
    answers.clear();
    events.clear();
  };
  const take = (text: string) => {
    const { id, method, result = {}, error } = messageShape.parse(JSON.parse(text));
    const waiting = id === undefined ? events.get(method ?? '') : answers.get(id);
    if (id === undefined) events.delete(method ?? '');
    else answers.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  };
  from.on('data', (bytes: Buffer) => {
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const text = Buffer.concat([...rest, bytes.subarray(start, end)]).toString();
      rest = [];
      start = end + 1;
      try {
        take(text);
      } catch {
        fail(new Error('it says what cannot be read'));
      }
    }
    rest.push(bytes.subarray(start));
  });
  // A program that has ended: its end is told by fail().
  for (const stream of [to, from]) stream.on('error', () => undefined);

  const wait = <Key>(all: Map<Key, Waiting>, key: Key): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) reject(failure);
      else all.set(key, { resolve, reject });
    });
  return {
    ask(method, params = {}, sessionId) {
      asked += 1;
      const answer = wait(answers, asked);
      to.write(`${JSON.stringify({ id: asked, method, params, sessionId })}\0`);
      return answer;
    },
    async next(event) {
      await wait(events, event);
    },
    fail,
  };
}
