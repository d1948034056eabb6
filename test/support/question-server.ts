// A loopback server that takes questions, or answers as it is told.
import { sendJson, startLoopbackServer } from './loopback-server.ts';

/** drop: ends the connection without an answer; lost: takes them before that. */
export type ToldAnswer = 'drop' | 'lost' | { readonly status: number; readonly body?: unknown };

export interface QuestionServer {
  readonly url: string;
  /** What the next requests are answered; accepted when empty. */
  readonly answers: ToldAnswer[];
  /** A request that holds this question is refused (400). */
  disliked: string | undefined;
  onRequest: () => void;
  readonly bodies: unknown[];
  /** Questions that were accepted, by request. */
  readonly taken: string[][];
  reset(): void;
  close(): Promise<void>;
}

export async function startQuestionServer(): Promise<QuestionServer> {
  const server = await startLoopbackServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, string[]>;
      state.bodies.push(body);
      state.onRequest();
      const questions = Object.values(body).flat();
      const isDisliked = state.disliked !== undefined && questions.includes(state.disliked);
      const answer = state.answers.shift() ?? { status: isDisliked ? 400 : 202 };
      if (answer === 'lost') state.taken.push(questions);
      if (answer === 'drop' || answer === 'lost') return response.destroy();
      if (answer.status === 202) state.taken.push(questions);
      sendJson(response, answer.status, answer.body ?? { aceptadas: questions.length });
    });
  });
  const state: QuestionServer = {
    url: server.url,
    answers: [],
    disliked: undefined,
    onRequest: () => undefined,
    bodies: [],
    taken: [],
    reset() {
      state.answers.length = 0;
      state.bodies.length = 0;
      state.taken.length = 0;
      state.disliked = undefined;
      state.onRequest = () => undefined;
    },
    close: () => server.close(),
  };
  return state;
}
