// A loopback server that starts measurements and lists them, or answers as it is told.
import { sendJson, startLoopbackServer } from './loopback-server.ts';
import type { ToldAnswer } from './question-server.ts';

export interface MeasureServer {
  readonly url: string;
  /** What the next calls that start one are answered; accepted when empty. */
  readonly answers: ToldAnswer[];
  /** Measurements that the next requests list, or a status; none when empty. */
  readonly looks: (readonly unknown[] | number)[];
  readonly bodies: unknown[];
  readonly asked: string[];
  reset(): void;
  close(): Promise<void>;
}

export async function startMeasureServer(): Promise<MeasureServer> {
  const server = await startLoopbackServer((request, response) => {
    state.asked.push(request.method ?? '');
    if (request.method === 'GET') {
      const look = state.looks.shift() ?? [];
      return typeof look === 'number'
        ? sendJson(response, look, { error: 'no' })
        : sendJson(response, 200, { mediciones: look });
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      state.bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      const answer = state.answers.shift() ?? { status: 201 };
      if (answer === 'drop' || answer === 'lost') return response.destroy();
      sendJson(response, answer.status, answer.body ?? { id: `run-${state.bodies.length}` });
    });
  });
  const state: MeasureServer = {
    url: server.url,
    answers: [],
    looks: [],
    bodies: [],
    asked: [],
    reset() {
      for (const list of [state.answers, state.looks, state.bodies, state.asked]) list.length = 0;
    },
    close: () => server.close(),
  };
  return state;
}
