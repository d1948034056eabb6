// Sends one write request, once. Its outcome says whether the service certainly took it, certainly did not, or may
// have; the caller decides what follows (api.md, "Write routes").
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import type { Purpose } from '../core/budget.ts';
import { signalWithGrace } from '../core/clock.ts';
import { createScrubber } from '../core/logger.ts';
import { classifyFailure, isUnsent, parsedOrUndefined, quote, readRefusal } from './classify.ts';
import { bodiless, createExchange, type RawAnswer, type RawHead } from './exchange.ts';
import type { Gate } from './gate/gate.ts';
import { readRateHeaders } from './gate/rate-headers.ts';
import { routeUrl } from './request.ts';
import { afterRefusal } from './retry.ts';

export const rightStatuses: readonly number[] = [402, 403, 451];

/** Statuses about the key, a right, the address or a proxy: the same request may succeed later. */
export const accessStatuses = rightStatuses.concat(401, 404, 405, 407, 408, 410, 421, 425, 426);

/** @param httpStatus undefined if it was not noted */
export function isRefusedForContent(httpStatus: number | undefined): boolean {
  const status = httpStatus ?? 400;
  return status >= 400 && status !== 429 && !accessStatuses.includes(status);
}

interface PostRequest {
  readonly route: string;
  /** Name under which the ledger counts it. */
  readonly stream: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly purpose: Purpose;
}

export type PostOutcome =
  | { readonly kind: 'accepted'; readonly status: number; readonly answer: string; readonly json: unknown }
  /** `closedForMs`: how long this kind of write, or the whole key, is refused. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly answer: string;
      /**
       * Reason of the refusal: the content, the size (413), this kind's own limit, the key's limit, or what
       * stands in the way of any content: key, right, address, proxy, a connection that was too slow.
       */
      readonly cause: 'content' | 'size' | 'kind_limit' | 'key_limit' | 'access';
      readonly closedForMs?: number;
    }
  /** There was no connection: certainly not taken. */
  | { readonly kind: 'unsent'; readonly problem: string; readonly fix: string }
  /** 5xx, a time-out, a connection that broke: it may have been taken. */
  | { readonly kind: 'unknown'; readonly status: number | undefined; readonly problem: string }
  /** `before` said no; nothing was sent and no request was spent. */
  | { readonly kind: 'held' };

interface PostOptions {
  /** Runs when the request's turn has come, just before sending: the last chance to note it as sending. */
  readonly before: () => Promise<boolean>;
  /** Ends the wait for the turn at once; a request already on its way has ten more seconds to be answered. */
  readonly signal: AbortSignal;
}

export interface Poster {
  /** @throws BudgetExhaustedError when no request remains today */
  post(request: PostRequest, options: PostOptions): Promise<PostOutcome>;
  close(): Promise<void>;
  readonly keyFrom?: string | undefined;
}

const mostAnswer = 2_000;
/** Longest wait that a limit per minute asks for; a longer one is about the kind of write. */
const longestMinuteMs = 90_000;
const graceMs = 10_000;
/** Wait after a refusal that names no time. */
const unknownCloseMs = 60_000;
const quotaCloseMs = 6 * 3_600_000;

export function createPoster(account: AccountConfig, http: HttpConfig, gate: Gate): Poster {
  const exchange = createExchange(account, http);
  const scrub = createScrubber([account.apiKey.reveal()]);

  const send = async (
    request: PostRequest,
    signal: AbortSignal,
    onHead: (head: RawHead) => void,
  ): Promise<PostOutcome> => {
    let head: RawHead | undefined;
    try {
      const sent = { accept: 'json', withKey: true, body: request } as const;
      const answer = await exchange.send(routeUrl(account.baseUrl, request.route), sent, signal, (came) => {
        head = came;
        onHead(came);
      });
      return judge(answer, scrub);
    } catch (error) {
      // The status already says what became of it; a broken body adds nothing.
      if (head !== undefined) return judge(bodiless(head), scrub);
      // Stopped on the way: how far it came is unknown.
      if (signal.aborted)
        return { kind: 'unknown', status: undefined, problem: 'was stopped before the answer came' };
      const verdict = classifyFailure(error, undefined, http);
      if (isUnsent(verdict)) return { kind: 'unsent', problem: verdict.problem, fix: verdict.fix };
      const problem =
        verdict.kind === 'retry' || verdict.kind === 'skip' ? verdict.problem : 'lost the connection';
      return { kind: 'unknown', status: undefined, problem };
    }
  };

  return {
    post: (request, { before, signal }) =>
      gate.run({ stream: request.stream, purpose: request.purpose, priority: 0, signal }, async (seen) => {
        if (!(await before())) return { result: { kind: 'held' }, unsent: true };
        const grace = signalWithGrace(signal, graceMs);
        const outcome = await send(request, grace.signal, (head) =>
          seen(readRateHeaders(head.headers)),
        ).finally(grace.release);
        if (outcome.kind === 'refused' && outcome.cause === 'key_limit') {
          // If the ledger cannot be told, the next try is refused in its turn; this one's outcome is known.
          await gate.refused(afterRefusal(outcome.closedForMs, 1)).catch(() => undefined);
        }
        return { result: outcome, ...(outcome.kind === 'unsent' && { unsent: true as const }) };
      }),
    close: () => exchange.close(),
    keyFrom: account.keyFrom,
  };
}

function judge(answer: RawAnswer, scrub: (text: string) => string): PostOutcome {
  const { status } = answer;
  const told = scrub(answer.text).slice(0, mostAnswer);
  const got = `got ${quote(answer.text, scrub)}`;
  if (status >= 200 && status < 300) {
    // A network that asks for a login answers like this in place of the service.
    if (answer.text.trimStart().startsWith('<')) {
      return { kind: 'unknown', status, problem: `answered ${status}, expected JSON, ${got}` };
    }
    return { kind: 'accepted', status, answer: told, json: parsedOrUndefined(answer.text) };
  }
  // 303 means that it was taken, and leads to a page about it.
  if (status >= 500 || status < 200 || status === 303) {
    return { kind: 'unknown', status, problem: `answered ${status}, ${got}` };
  }
  const refused = (cause: Extract<PostOutcome, { kind: 'refused' }>['cause'], closedForMs?: number) =>
    ({
      kind: 'refused',
      status,
      answer: told,
      cause,
      ...(closedForMs !== undefined && { closedForMs }),
    }) as const;
  if (status === 413) return refused('size');
  if (status === 429) return judgeLimit(answer, refused);
  return refused(status < 400 || accessStatuses.includes(status) ? 'access' : 'content');
}

/**
 * Decides whose limit a 429 is about. The minute's is known by its headers, or by a short wait; what asks for
 * longer while the minute has room is this kind's own, and must not close the key for reading.
 */
function judgeLimit(
  answer: RawAnswer,
  refused: (cause: 'kind_limit' | 'key_limit', closedForMs: number) => PostOutcome,
): PostOutcome {
  const { isQuota, askedMs } = readRefusal(answer);
  if (isQuota) return refused('kind_limit', askedMs ?? quotaCloseMs);
  const { remaining } = readRateHeaders(answer.headers);
  const isMinute = remaining === undefined ? (askedMs ?? 0) <= longestMinuteMs : remaining <= 0;
  const waitMs = askedMs ?? unknownCloseMs;
  return isMinute && waitMs <= longestMinuteMs ? refused('key_limit', waitMs) : refused('kind_limit', waitMs);
}
