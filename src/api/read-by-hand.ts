// What people read by hand, and nobody stores: the answer to a question, and a public result.

import type { HttpConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { SkippableError } from '../core/errors.ts';
import { createScrubber } from '../core/logger.ts';
import { plural } from '../core/text.ts';
import { judgeSingle } from '../streams/fields/judge-body.ts';
import { askOnce } from './ask-once.ts';
import { quote, type Verdict } from './classify.ts';
import type { Answer, ApiClient } from './client.ts';
import { createExchange } from './exchange.ts';
import { type PageRequest, requestUrl } from './request.ts';
import { backOffMs, refusalExtraMs } from './retry.ts';

/** Characters; it is sent in the address, and longer ones may not fit. */
export const longestQuestion = 2_000;

const question = { stream: 'ask', route: 'ask', withKey: true, accept: 'json', purpose: 'people' } as const;

/** @throws SkippableError when the answer holds no data, and what `ApiClient` throws */
export async function askQuestion(
  client: Pick<ApiClient, 'get' | 'quote'>,
  text: string,
  signal: AbortSignal,
): Promise<Answer> {
  const badRequestFix = 'The service does not take this question: ask in other words.';
  const query = { pregunta: text };
  const answer = await client.get({ ...question, query, priority: 0, badRequestFix }, signal);
  const judged = judgeSingle(answer.json);
  if (judged.kind === 'records') return answer;
  throw new SkippableError(
    `GET ask answered ${answer.status}, expected ${judged.expected}, got ${judged.got}: ${client.quote(answer.text)}. Ask again later.`,
    { stream: question.stream, route: question.route, status: answer.status },
  );
}

export type PublicResult =
  /** The body as the service sent it. */
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'missing' | 'failed'; readonly problem: string };

interface PublicReader {
  read(id: string, signal: AbortSignal): Promise<PublicResult>;
  close(): Promise<void>;
}

/** What a person waits for. */
const longestWaitMs = 60_000;
const unknownWaitMs = 30_000;

/**
 * A public AI Rank result, read without a key (api.md, "Public route"): no account's limits apply, and what this
 * route refuses closes no key.
 */
export function createPublicReader(baseUrl: URL, http: HttpConfig, clock: Clock): PublicReader {
  const exchange = createExchange(undefined, http);
  const scrub = createScrubber([]);
  const asking = { exchange, http, scrub };

  const read = async (id: string, signal: AbortSignal): Promise<PublicResult> => {
    const request = requestFor(id);
    for (let attempt = 1; ; attempt += 1) {
      const verdict = await askOnce(asking, requestUrl(baseUrl, request), request, signal);
      const waitMs = attempt < http.maxAttempts ? waitAfter(verdict, attempt) : undefined;
      if (waitMs === undefined) return resultOf(id, verdict, attempt, scrub);
      await clock.sleep(waitMs, signal);
    }
  };

  return { read, close: () => exchange.close() };
}

function requestFor(id: string): PageRequest {
  return {
    stream: 'airank_public',
    route: 'airank',
    pathId: id,
    query: {},
    withKey: false,
    accept: 'json',
    purpose: 'people',
    priority: 0,
  };
}

/** Undefined: it is not asked again. */
function waitAfter(verdict: Verdict, attempt: number): number | undefined {
  if (verdict.kind === 'retry') return backOffMs(attempt);
  if (verdict.kind !== 'refused') return undefined;
  const waitMs = (verdict.retryAfterMs ?? unknownWaitMs) + refusalExtraMs(attempt);
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

function resultOf(
  id: string,
  verdict: Verdict,
  attempt: number,
  scrub: (text: string) => string,
): PublicResult {
  const failed = (problem: string): PublicResult => ({ kind: 'failed', problem: `${id}: ${problem}` });
  switch (verdict.kind) {
    case 'ok': {
      const judged = judgeSingle(verdict.json);
      const { text } = verdict.answer;
      if (judged.kind === 'records') return { kind: 'found', text };
      return failed(
        `expected ${judged.expected}, got ${judged.got}: ${quote(text, scrub)}. Try again later.`,
      );
    }
    case 'unavailable':
      if (verdict.status !== 404)
        return failed(`answered ${verdict.status}: the service shows it to nobody without a key.`);
      return { kind: 'missing', problem: `There is no public result with the id ${JSON.stringify(id)}.` };
    case 'refused': {
      const inS = verdict.retryAfterMs === undefined ? '' : ` in ${Math.ceil(verdict.retryAfterMs / 1000)} s`;
      return failed(`answered 429: too many requests without a key from here. Try again${inS || ' later'}.`);
    }
    case 'quota':
      return failed('answered 429 (quota). Try again tomorrow.');
    case 'retry':
      return failed(`${verdict.problem}, after ${plural(attempt, 'try', 'tries')}. ${verdict.fix}`);
    case 'redirect':
    case 'skip':
      return failed(`${verdict.problem}. ${verdict.fix}`);
  }
}
