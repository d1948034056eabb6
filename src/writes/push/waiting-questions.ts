// The questions of an account that are not sent yet: those without a request, and those whose request was certainly not taken.
import type { Executor } from '../../db/database.ts';
import { openQuestionWrites, releaseQuestions } from '../store/question-writes.ts';
import { countWaiting, dropWaiting } from '../store/questions.ts';
import { needsDecision } from './pushed-questions.ts';

export async function countUnsent(db: Executor, account: string): Promise<number> {
  const open = await openQuestionWrites(db, account);
  const inRequests = open
    .filter((write) => !needsDecision(write))
    .reduce((sum, { texts }) => sum + texts.length, 0);
  return inRequests + (await countWaiting(db, account));
}

/** Forgets them. The caller holds the account's questions (`withWrites`). Returns how many. */
export async function dropUnsent(db: Executor, account: string): Promise<number> {
  for (const write of await openQuestionWrites(db, account)) {
    if (!needsDecision(write)) await releaseQuestions(db, account, write.id);
  }
  return await dropWaiting(db, account);
}
