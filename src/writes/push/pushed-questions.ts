// What pushing questions came to, and what that means for scripts.
import { isRefusedForContent } from '../../api/post.ts';
import type { OpenQuestionWrite } from '../store/question-writes.ts';

export type PushEnd =
  | { readonly kind: 'done' }
  /** The limit of questions, or the day's requests, ended first: the rest goes from then on. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly why: string }
  /** The key is refused, or nobody can be reached: whatever else is sent fares no better. */
  | { readonly kind: 'failed'; readonly problem: string }
  /** No request was ever accepted, so the form itself may be wrong. */
  | { readonly kind: 'form'; readonly status: number; readonly answer: string }
  /** Two requests in a row: more would only make more that nobody knows of. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'stopped' };

export interface PushCounts {
  /** Requests that were sent. */
  readonly requests: number;
  readonly acceptedRequests: number;
  readonly acceptedQuestions: number;
  /** Requests that were left for good. */
  readonly skippedRequests: number;
}

export interface PushedQuestions extends PushCounts {
  readonly end: PushEnd;
  /** Questions that are not sent yet. */
  readonly waiting: number;
  /** Refused and unknown requests that wait for a decision. */
  readonly open: readonly OpenQuestionWrite[];
}

/** 0 all was accepted, 1 something failed or is undecided, 3 a limit ended first and the rest waits. */
export function exitCodeOf({ end, open }: Pick<PushedQuestions, 'end' | 'open'>): 0 | 1 | 3 {
  if (open.length > 0) return 1;
  if (end.kind === 'done') return 0;
  return end.kind === 'deferred' ? 3 : 1;
}

/** The service refused what is in it. */
export function isRefusedForGood({
  status,
  httpStatus,
}: Pick<OpenQuestionWrite, 'status' | 'httpStatus'>): boolean {
  return status === 'refused' && isRefusedForContent(httpStatus);
}

/** Whether somebody has to say what becomes of it. */
export function needsDecision(write: Pick<OpenQuestionWrite, 'status' | 'httpStatus'>): boolean {
  return write.status === 'unknown' || isRefusedForGood(write);
}
