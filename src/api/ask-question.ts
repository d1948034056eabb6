// One question to the account's data, by hand (api.md, "Intelligence routes"). Nothing of it is stored.
import { SkippableError } from '../core/errors.ts';
import { judgeSingle } from '../streams/fields/judge-body.ts';
import type { Answer, ApiClient } from './client.ts';

/** Characters; it is sent in the address, and longer ones may not fit. */
export const longestQuestion = 2_000;

const request = { stream: 'ask', route: 'ask', withKey: true, accept: 'json', purpose: 'people' } as const;

/** @throws SkippableError when the answer holds no data, and what `ApiClient` throws */
export async function askQuestion(
  client: Pick<ApiClient, 'get' | 'quote'>,
  question: string,
  signal: AbortSignal,
): Promise<Answer> {
  const badRequestFix = 'The service does not take this question: ask in other words.';
  const query = { pregunta: question };
  const answer = await client.get({ ...request, query, priority: 0, badRequestFix }, signal);
  const judged = judgeSingle(answer.json);
  if (judged.kind === 'records') return answer;
  throw new SkippableError(
    `GET ask answered ${answer.status}, expected ${judged.expected}, got ${judged.got}: ${client.quote(answer.text)}. Ask again later.`,
    { stream: request.stream, route: request.route, status: answer.status },
  );
}
