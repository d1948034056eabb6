// Sends the questions of an account that wait, request after request, until none is left or a limit ends it. Requests
// of earlier runs that are not settled come first.
import { FatalError, messageOf, RetryableError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import {
  choiceFor,
  createOutageBrake,
  type Delivered,
  deliver,
  needsDecision,
  type OutageBrake,
  type Policy,
  type SendDeps,
} from './send.ts';
import {
  countWaiting,
  dropWaiting,
  forgetSettled,
  type OpenQuestionWrite,
  openQuestionWrites,
  planQuestions,
  releaseQuestions,
  wasEverAccepted,
} from './store/question-writes.ts';
import { endedUnknown, remainingInLimit, skipWrite, writeOpensAt } from './store/write-states.ts';

export type PushEnd =
  | { readonly kind: 'done' }
  | Extract<Delivered, { kind: 'deferred' }>
  /** The key is refused, or the service cannot be reached: other requests would fail too. */
  | { readonly kind: 'failed'; readonly problem: string }
  /** No request was ever accepted, so the request format itself may be wrong. */
  | { readonly kind: 'form'; readonly status: number }
  /** Two requests in a row have an unknown outcome, and more would too. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'stopped' };

export interface PushedQuestions {
  readonly end: PushEnd;
  readonly requests: number;
  readonly acceptedRequests: number;
  readonly acceptedQuestions: number;
  readonly skippedRequests: number;
  readonly waiting: number;
  readonly open: readonly OpenQuestionWrite[];
}

/** 0 all was accepted; 1 something failed or is undecided; 3 a limit ended it first and the rest waits. */
export function exitCodeOf({ end, open }: Pick<PushedQuestions, 'end' | 'open'>): 0 | 1 | 3 {
  if (open.length > 0) return 1;
  if (end.kind === 'done') return 0;
  return end.kind === 'deferred' ? 3 : 1;
}

/** Counts questions that are in no request, or whose request was certainly not taken. */
export async function countUnsent(db: Executor, account: string): Promise<number> {
  const open = (await openQuestionWrites(db, account)).filter((write) => !needsDecision(write));
  return open.reduce((sum, { texts }) => sum + texts.length, 0) + (await countWaiting(db, account));
}

/** Forgets unsent questions and returns their number. The caller holds them (`holdingWrites`). */
export async function dropUnsent(db: Executor, account: string): Promise<number> {
  for (const write of await openQuestionWrites(db, account)) {
    if (!needsDecision(write)) await releaseQuestions(db, account, write.id);
  }
  return await dropWaiting(db, account);
}

export interface PushQuestionsOptions {
  readonly account: string;
  readonly unknown: Policy;
  readonly refused: Policy;
}

/** api.md, "Write routes". */
const questionsPerRequest = 20;

/** Expects the caller to hold the account's questions (`holdingWrites`). */
export async function pushQuestions(deps: SendDeps, options: PushQuestionsOptions): Promise<PushedQuestions> {
  const { db } = deps;
  const { account } = options;
  const brake = createOutageBrake(await endedUnknown(db, account, 'questions'));
  const counts = { requests: 0, acceptedRequests: 0, acceptedQuestions: 0, skippedRequests: 0 };
  const end = await sendAll({ deps, options, brake, counts }).catch((error: unknown): PushEnd => {
    if (deps.signal.aborted) return { kind: 'stopped' };
    if (error instanceof FatalError || error instanceof RetryableError) {
      return { kind: 'failed', problem: messageOf(error) };
    }
    throw error;
  });
  const open = (await openQuestionWrites(db, account)).filter(needsDecision);
  return { ...counts, end, waiting: await countUnsent(db, account), open };
}

interface Push {
  readonly deps: SendDeps;
  readonly options: PushQuestionsOptions;
  readonly brake: OutageBrake;
  readonly counts: {
    requests: number;
    acceptedRequests: number;
    acceptedQuestions: number;
    skippedRequests: number;
  };
}

async function sendAll(push: Push): Promise<PushEnd> {
  const { deps, options, counts } = push;
  const { db, config } = deps;
  const { account } = options;
  const bodyOf = (texts: readonly string[]) =>
    Buffer.from(JSON.stringify({ [config.questionsField]: texts }));
  await forgetSettled(db, account);
  // A request that does not fit into the rest of the day leaves it to smaller ones.
  let held: PushEnd | undefined;
  for (const write of await openQuestionWrites(db, account)) {
    const choice = choiceFor(write, options);
    if (choice === 'skip' && (await skipWrite(db, { account, id: write.id }))) counts.skippedRequests += 1;
    if (choice !== 'resend') continue;
    const end = await send(push, { ...write, bytes: bodyOf(write.texts) });
    if (end?.kind === 'deferred') held = end;
    else if (end !== undefined) return end;
  }
  for (;;) {
    const room = await remainingInLimit(db, config, { account, kind: 'questions' });
    const most = Math.min(room, questionsPerRequest);
    const planned = most === 0 ? undefined : await planQuestions(db, account, { most, bodyOf });
    const end = planned === undefined ? undefined : await send(push, planned);
    if (end !== undefined) return end;
    if (planned !== undefined) continue;
    if ((await countWaiting(db, account)) === 0) return held ?? { kind: 'done' };
    const until = await writeOpensAt(db, config, { account, kind: 'questions', takes: 1 });
    if (until !== undefined) return { kind: 'deferred', until, why: 'the limit is used up' };
  }
}

interface Request {
  readonly id: number;
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

/** Sends a request; undefined if the next one may follow. */
async function send(push: Push, { id, texts, bytes }: Request): Promise<PushEnd | undefined> {
  const { deps, brake, counts } = push;
  const { account } = push.options;
  const write = {
    account,
    id,
    kind: 'questions',
    takes: texts.length,
    type: 'application/json',
    bytes,
  } as const;
  const delivered = await deliver(deps, write);
  brake.saw(delivered.kind);
  if (delivered.kind === 'deferred') return delivered;
  counts.requests += 1;
  if (delivered.kind === 'accepted') {
    counts.acceptedRequests += 1;
    counts.acceptedQuestions += texts.length;
    await forgetSettled(deps.db, account);
  }
  if (deps.signal.aborted) return { kind: 'stopped' };
  if (delivered.kind === 'unknown') return brake.isOn ? { kind: 'unknown' } : undefined;
  if (delivered.kind === 'accepted' || (await wasEverAccepted(deps.db, account))) return undefined;
  return { kind: 'form', status: delivered.status };
}
