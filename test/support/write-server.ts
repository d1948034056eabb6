// A loopback server that takes questions and starts measurements, or answers as it is told.
import { json } from 'node:stream/consumers';
import { sendJson, startLoopbackServer } from './loopback-server.ts';

/** drop: ends the connection without an answer; lost: takes them before that. */
export type ToldAnswer = 'drop' | 'lost' | { readonly status: number; readonly body?: unknown };

export interface WriteServer {
  readonly url: string;
  /** Answers to the next writes; accepted when empty. */
  readonly answers: ToldAnswer[];
  onRequest: () => void;
  readonly bodies: unknown[];
  /** Questions that were accepted, by request. */
  readonly taken: string[][];
  reset(): void;
  close(): Promise<void>;
}

export async function startWriteServer(): Promise<WriteServer> {
  const server = await startLoopbackServer(async (request, response) => {
    // Whoever writes may die before all of it has come.
    const body = (await json(request).catch(() => undefined)) as Record<string, string[]> | undefined;
    if (body === undefined) return;
    state.bodies.push(body);
    state.onRequest();
    const questions = Object.values(body).flat();
    const accepted =
      'empresa' in body
        ? { status: 201, body: { id: `run-${state.bodies.length}` } }
        : { status: 202, body: { aceptadas: questions.length } };
    const answer = state.answers.shift() ?? accepted;
    if (answer === 'lost') state.taken.push(questions);
    if (answer === 'drop' || answer === 'lost') return response.destroy();
    if (answer.status === 202) state.taken.push(questions);
    sendJson(response, answer.status, answer.body ?? accepted.body);
  });
  const state: WriteServer = {
    url: server.url,
    answers: [],
    onRequest: () => undefined,
    bodies: [],
    taken: [],
    reset() {
      for (const list of [state.answers, state.bodies, state.taken]) list.length = 0;
      state.onRequest = () => undefined;
    },
    close: () => server.close(),
  };
  return state;
}
