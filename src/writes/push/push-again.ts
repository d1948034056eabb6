// What earlier pushes of a log left open: sent again, left, or reported, as people decided.
import { isRefusedForContent } from '../../core/refused-for-content.ts';
import type { UnknownPolicy } from '../deliver.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import { type LogRange, type OpenRange, openRanges, replaceRange, splitRange } from '../store/log-writes.ts';
import { skipWrite } from '../store/write-book.ts';
import { deliverChunk } from './deliver-chunk.ts';
import type { PushOptions } from './push-options.ts';
import type { PushStop } from './push-summary.ts';
import { needsDecision } from './pushed-questions.ts';
import { rangeOf, restOf } from './range-of-chunk.ts';
import { chunksOf, type SourcePush } from './source-push.ts';

/** Undefined: the push goes on. In an outage nothing more is sent, and what needs a decision is still named. */
export async function pushOpen(push: SourcePush): Promise<PushStop | undefined> {
  const { deps, options, source } = push;
  let outage: PushStop | undefined;
  for (const range of await openRanges(deps.db, options.account, source.id)) {
    const stop = await pushAgain(push, range);
    if (stop?.kind === 'deferred') return stop;
    outage ??= stop;
  }
  return outage;
}

async function pushAgain(push: SourcePush, range: OpenRange): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  const policy = policyOf(range, options);
  const open = { id: range.id, lines: range.lines, why: whyOpen(range) };
  if (policy === 'skip') {
    if (await skipWrite(deps.db, { account: options.account, id: range.id })) report.skipped += 1;
    return undefined;
  }
  if (policy === 'report' || push.brake.isOn) {
    if (needsDecision(range)) (range.status === 'unknown' ? report.unknown : report.refused).push(open);
    return undefined;
  }
  return await sendAgain(push, range);
}

interface Piece {
  readonly chunk: LogChunk;
  readonly noted: LogRange;
}

/**
 * One chunk, unless another filter makes more of it: then piece by piece, so that two of them are in memory and not all.
 * What somebody leaves meanwhile is not sent.
 */
async function sendAgain(push: SourcePush, range: OpenRange): Promise<PushStop | undefined> {
  const { deps, options, log, report } = push;
  const { account } = options;
  let left = range;
  let piece: Piece | undefined;
  for await (const chunk of chunksOf(push, range, range.plannedAt)) {
    // The log goes on after it, so it is whole.
    if (piece !== undefined) {
      const rest = restOf(left, piece.noted);
      await log.expectSame();
      const { id } = left;
      const restId = await splitRange(deps.db, { account, id }, [piece.noted, rest]);
      if (restId === undefined) return undefined;
      left = { ...left, id: restId, lines: rest.lines };
      const stop = await deliverChunk(push, piece.chunk, id);
      if (stop !== undefined) return stop;
      deps.signal.throwIfAborted();
    }
    piece = { chunk, noted: rangeOf(chunk, log, push.format.name, options) };
  }
  const readTo = piece?.chunk.toByte ?? range.fromByte;
  if (piece === undefined || readTo < range.toByte) {
    // The rest of the range is gone, so nobody can send it any more.
    const why = `the log has only ${readTo} of ${range.toByte} bytes`;
    report.refused.push({ id: left.id, lines: left.lines, why });
    return undefined;
  }
  await log.expectSame();
  const replaced = await replaceRange(deps.db, { account, id: left.id }, piece.noted);
  return replaced && (await deliverChunk(push, piece.chunk, left.id));
}

function policyOf({ status, httpStatus }: OpenRange, options: PushOptions): UnknownPolicy {
  if (status === 'planned') return 'resend';
  if (status === 'unknown') return options.unknown;
  return isRefusedForContent(httpStatus) ? options.refused : 'resend';
}

function whyOpen({ status, httpStatus }: OpenRange): string {
  if (status === 'unknown') return httpStatus === undefined ? 'no answer came' : `answered ${httpStatus}`;
  return `answered ${httpStatus ?? 'no'}`;
}
