// One log: first what earlier pushes of it left open, then what is new in it. A range is committed before its lines are
// sent, so whatever ends the push, the next one goes on from there.
import { WarehouseError } from '../../core/errors.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import { planRange } from '../store/log-writes.ts';
import { addCounts } from '../store/range-counts.ts';
import { deliverChunk } from './deliver-chunk.ts';
import { pushOpen } from './push-again.ts';
import type { PushStop } from './push-summary.ts';
import { countsOf, rangeOf } from './range-of-chunk.ts';
import { chunksOf, type SourcePush } from './source-push.ts';

/** Undefined: everything of it was sent as far as it can be. */
export async function pushSource(push: SourcePush): Promise<PushStop | undefined> {
  const { deps, options, source, report } = push;
  const held = options.isDry ? undefined : await pushOpen(push);
  if (held !== undefined) return held;
  if (!(await hasExpectedEnd(push))) {
    report.isShorter = true;
    return undefined;
  }
  // One moment for all of it: a range that is read again is then read as it was.
  const at = new Date(deps.clock.now());
  for await (const chunk of chunksOf(push, { fromByte: source.position }, at)) {
    report.counts = addCounts(report.counts, countsOf(chunk));
    report.toByte = chunk.toByte;
    const stop = await pushChunk(push, chunk, at);
    if (stop !== undefined) return stop;
    deps.signal.throwIfAborted();
  }
  return undefined;
}

async function pushChunk(push: SourcePush, chunk: LogChunk, at: Date): Promise<PushStop | undefined> {
  const { deps, options, source, report } = push;
  if (options.isDry) {
    if (chunk.lines > 0) report.uploads += 1;
    report.acceptedLines += chunk.lines;
    return undefined;
  }
  const context = { account: options.account, sourceId: source.id, job: options.job };
  await push.log.expectSame();
  const range = rangeOf(chunk, push.log, push.format.name, options);
  const id = await planRange(deps.db, context, range, at);
  return await deliverChunk(push, chunk, id);
}

/**
 * Standard input has to show on the way that it is the log that it began as. False: it ends before.
 * @throws WarehouseError when it is another one
 */
async function hasExpectedEnd({ log, source }: SourcePush): Promise<boolean> {
  const { expects, position } = source;
  if (expects === undefined) return true;
  // Reads up to there.
  for await (const _ of log.blocks(position)) break;
  if (log.readTo() < position) return false;
  const hash = log.hashBefore(expects.toByte, expects.tailBytes);
  if (hash === undefined || hash === expects.tailHash) return true;
  throw new WarehouseError(
    `Expected standard input to go on as log ${source.id}, which begins the same and was sent up to byte ${position}, got another log. Nothing of it was sent: say --new if it is one`,
  );
}
