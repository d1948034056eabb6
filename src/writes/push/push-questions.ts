// Sends the questions of an account that wait, request after request, until none is left or a limit ends it. What is not
// settled of earlier runs comes first.
import { FatalError, messageOf, RetryableError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import {
  choiceFor,
  createOutageBrake,
  type Delivered,
  deliver,
  needsDecision,
  type OutageBrake,
  type SendDeps,
  type UnknownPolicy,
} from '../deliver.ts';
import {
  countWaiting,
  dropWaiting,
  forgetSettled,
  type OpenQuestionWrite,
  openQuestionWrites,
  planQuestions,
  releaseQuestions,
  splitWrite,
  wasEverAccepted,
} from '../store/question-writes.ts';
import { endedUnknown, remainingInLimit, skipWrite, writeOpensAt } from '../store/write-states.ts';

/** What pushing questions came to, and what that means for scripts. */
export type PushEnd =
  | { readonly kind: 'done' }
  /** The limit of questions, or the day's requests, ended first: the rest goes from then on. */
  | Extract<Delivered, { kind: 'deferred' }>
  /** The key is refused, or nobody can be reached: whatever else is sent fares no better. */
  | { readonly kind: 'failed'; readonly problem: string }
  /** No request was ever accepted, so the form itself may be wrong. */
  | { readonly kind: 'form'; readonly status: number; readonly answer: string }
  /** Two requests in a row: more would only make more of unknown outcome. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'stopped' };

interface PushCounts {
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

/**
 * The questions of an account that are not sent yet: those without a request, and those whose request was certainly not taken.
 */
export async function countUnsent(db: Executor, account: string): Promise<number> {
  const open = await openQuestionWrites(db, account);
  const inRequests = open
    .filter((write) => !needsDecision(write))
    .reduce((sum, { texts }) => sum + texts.length, 0);
  return inRequests + (await countWaiting(db, account));
}

/** Forgets them. The caller holds the account's questions (`holdingWrites`). Returns how many. */
export async function dropUnsent(db: Executor, account: string): Promise<number> {
  for (const write of await openQuestionWrites(db, account)) {
    if (!needsDecision(write)) await releaseQuestions(db, account, write.id);
  }
  return await dropWaiting(db, account);
}

/** What to do with a request that the service did not take as it is. split: a request for each question. */
export type RefusedPolicy = 'report' | 'resend' | 'split' | 'skip';

export interface PushQuestionsOptions {
  readonly account: string;
  readonly unknown: UnknownPolicy;
  readonly refused: RefusedPolicy;
  readonly onProgress: (progress: { readonly accepted: number; readonly waiting: number }) => void;
}

/** api.md, "Write routes". */
export const questionsPerRequest = 20;

/** The caller holds the account's questions (`holdingWrites`). */
export async function pushQuestions(deps: SendDeps, options: PushQuestionsOptions): Promise<PushedQuestions> {
  const { db } = deps;
  const { account } = options;
  const brake = createOutageBrake(await endedUnknown(db, account, 'questions'));
  const run = new PushRun(deps, options, brake);
  let end: PushEnd;
  try {
    end = await run.run();
  } catch (error) {
    if (deps.signal.aborted) end = { kind: 'stopped' };
    else if (error instanceof FatalError || error instanceof RetryableError) {
      end = { kind: 'failed', problem: messageOf(error) };
    } else throw error;
  }
  const waiting = await countUnsent(db, account);
  const open = (await openQuestionWrites(db, account)).filter(needsDecision);
  return { ...run.counts, end, waiting, open };
}

interface Request {
  readonly id: number;
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

class PushRun {
  readonly counts = { requests: 0, acceptedRequests: 0, acceptedQuestions: 0, skippedRequests: 0 };
  readonly #deps: SendDeps;
  readonly #options: PushQuestionsOptions;
  readonly #brake: OutageBrake;

  constructor(deps: SendDeps, options: PushQuestionsOptions, brake: OutageBrake) {
    this.#deps = deps;
    this.#options = options;
    this.#brake = brake;
  }

  async run(): Promise<PushEnd> {
    const { db, config } = this.#deps;
    const { account } = this.#options;
    await forgetSettled(db, account);
    await this.#decide();
    // One that does not fit into today's rest leaves it to smaller ones.
    let held: PushEnd | undefined;
    for (const write of (await openQuestionWrites(db, account)).filter(this.#isSentAgain)) {
      const end = await this.#send({ ...write, bytes: this.#bodyOf(write.texts) });
      if (end?.kind === 'deferred') held = end;
      else if (end !== undefined) return end;
    }
    for (;;) {
      const room = await remainingInLimit(db, config, { account, kind: 'questions' });
      const most = Math.min(room, questionsPerRequest);
      const planned =
        most === 0 ? undefined : await planQuestions(db, account, { most, bodyOf: this.#bodyOf });
      const end = planned === undefined ? undefined : await this.#send(planned);
      if (end !== undefined) return end;
      if (planned !== undefined) continue;
      if ((await countWaiting(db, account)) === 0) return held ?? { kind: 'done' };
      const until = await writeOpensAt(db, config, { account, kind: 'questions', takes: 1 });
      if (until !== undefined) return { kind: 'deferred', until, why: 'the limit is used up' };
    }
  }

  /** What is left for good, and what becomes smaller requests; both are committed before anything is sent. */
  async #decide(): Promise<void> {
    const { db, config } = this.#deps;
    const { account } = this.#options;
    for (const write of await openQuestionWrites(db, account)) {
      const choice = choiceFor(write, this.#options);
      // The setting may have become smaller than a request of before.
      const isTooLarge = write.texts.length > config.writes.questionsPerDay;
      if (choice === 'skip') {
        if (await skipWrite(db, { account, id: write.id })) this.counts.skippedRequests += 1;
      } else if (write.status === 'planned' && isTooLarge) {
        await releaseQuestions(db, account, write.id);
      } else if (choice === 'split' || (choice === 'resend' && isTooLarge)) {
        await splitWrite(db, account, { id: write.id, bodyOf: this.#bodyOf });
      }
    }
  }

  readonly #isSentAgain = (write: OpenQuestionWrite): boolean => choiceFor(write, this.#options) === 'resend';

  readonly #bodyOf = (texts: readonly string[]): Uint8Array =>
    Buffer.from(JSON.stringify({ [this.#deps.config.writes.questionsField]: texts }));

  /** Undefined: the next one goes on. */
  async #send({ id, texts, bytes }: Request): Promise<PushEnd | undefined> {
    const { account } = this.#options;
    const { db, signal } = this.#deps;
    const write = { account, id, kind: 'questions', takes: texts.length, bytes } as const;
    const delivered = await deliver(
      { ...this.#deps, unknown: 'report' },
      { ...write, type: 'application/json' },
    );
    this.#brake.saw(delivered.kind);
    switch (delivered.kind) {
      case 'gone':
        return undefined;
      case 'deferred':
        return delivered;
      case 'accepted':
        await this.#accept(texts.length);
        return signal.aborted ? { kind: 'stopped' } : undefined;
      case 'unknown':
        this.counts.requests += 1;
        if (signal.aborted) return { kind: 'stopped' };
        return this.#brake.isOn ? { kind: 'unknown' } : undefined;
      case 'refused':
      case 'too_large':
        this.counts.requests += 1;
        if (texts.length === 1 || (await wasEverAccepted(db, account))) return undefined;
        return { kind: 'form', status: delivered.status, answer: delivered.answer };
    }
  }

  async #accept(questions: number): Promise<void> {
    const { db } = this.#deps;
    const { account, onProgress } = this.#options;
    this.counts.requests += 1;
    this.counts.acceptedRequests += 1;
    this.counts.acceptedQuestions += questions;
    await forgetSettled(db, account);
    onProgress({ accepted: this.counts.acceptedQuestions, waiting: await countWaiting(db, account) });
  }
}
