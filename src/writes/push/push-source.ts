// One log: first what earlier pushes of it left open, then what is new in it. A range is committed before its lines are
// sent, so whatever ends the push, the next one goes on from there.

import { WarehouseError } from '../../core/errors.ts';
import { choiceFor, type DeliverDeps, deliver, needsDecision, type OutageBrake } from '../deliver.ts';
import { createFindBot } from '../logs/bots.ts';
import { chunkLog, mayGrow } from '../logs/chunk-log.ts';
import { type LogChunk, splitChunk } from '../logs/log-chunk.ts';
import type { FoundFormat } from '../logs/log-event.ts';
import {
  addCounts,
  type LogRange,
  type OpenRange,
  openRanges,
  planRange,
  replaceRange,
  splitRange,
} from '../store/log-writes.ts';
import { skipWrite } from '../store/write-states.ts';
import { countsOf, rangeOf, restOf, type WindowedLog } from './block-window.ts';
import type { FoundSource } from './find-source.ts';
import type { PushListener, PushOptions, PushStop, SourceReport } from './push-summary.ts';

/** One log on its way: what every step of its push needs, and how its lines are read. */
interface SourcePush {
  readonly deps: DeliverDeps;
  readonly options: PushOptions;
  readonly listener: PushListener;
  readonly log: WindowedLog;
  readonly format: FoundFormat;
  readonly source: FoundSource;
  readonly report: SourceReport;
  /** Of the whole push. */
  readonly brake: OutageBrake;
}

const findBot = createFindBot();

/** Of a range that was planned earlier, as of then: so that the same lines are too old, and the body is the same. */
function chunksOf(
  push: SourcePush,
  range: { readonly fromByte: number; readonly toByte?: number },
  at: Date,
): AsyncGenerator<LogChunk> {
  const { log, format, options, report, listener } = push;
  return chunkLog(log, format, range, {
    form: options.form,
    findBot,
    allAgents: options.allAgents,
    anonymizeIp: options.anonymizeIp,
    nowMs: at.getTime(),
    lastLine: range.toByte === undefined ? lastLineOf(log) : 'take',
    onReject: (line) => listener.onReject(report, line),
  });
}

function lastLineOf(log: WindowedLog) {
  if (log.sizeBytes === null) return 'take_readable';
  return mayGrow(log) ? 'leave' : 'take';
}

/** `id`: its number in sync.write. Undefined: the push goes on. */
async function deliverChunk(push: SourcePush, chunk: LogChunk, id: number): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  if (chunk.lines === 0) return undefined;
  const type = options.form === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
  const write = { account: options.account, id, kind: 'logs', takes: 1, type, bytes: chunk.body } as const;
  const delivered = await deliver(deps, write);
  push.brake.saw(delivered.kind);
  const open = { id, lines: chunk.lines };
  switch (delivered.kind) {
    case 'accepted':
      report.uploads += 1;
      report.acceptedLines += chunk.lines;
      return undefined;
    case 'too_large':
      return await deliverHalves(push, chunk, id, delivered.status);
    case 'refused':
      report.refused.push({ ...open, why: `answered ${delivered.status}` });
      return undefined;
    case 'unknown':
      if (deps.unknown === 'skip') {
        if (await skipWrite(deps.db, write)) report.skipped += 1;
      } else report.unknown.push({ ...open, why: delivered.problem });
      return push.brake.isOn ? { kind: 'outage', name: report.name, readTo: report.toByte } : undefined;
    case 'deferred':
      return delivered;
    case 'gone':
      throw new WarehouseError(
        `Upload ${id} was sent by another process, which must not be. Look at airank push writes, then run it again`,
      );
  }
}

async function deliverHalves(
  push: SourcePush,
  chunk: LogChunk,
  id: number,
  status: number,
): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  const halves = splitChunk(chunk);
  if (halves === null) {
    report.refused.push({ id, lines: chunk.lines, why: `answered ${status} to a single line` });
    return undefined;
  }
  const [first, second] = halves;
  const rangeOfHalf = (half: LogChunk) => rangeOf(half, push.log, push.format.name, options);
  const ranges = [rangeOfHalf(first), rangeOfHalf(second)] as const;
  const secondId = await splitRange(deps.db, { account: options.account, id }, ranges);
  if (secondId === undefined) return undefined;
  return (await deliverChunk(push, first, id)) ?? (await deliverChunk(push, second, secondId));
}

/** Undefined: the push goes on. In an outage nothing more is sent, and what needs a decision is still named. */
async function pushOpen(push: SourcePush): Promise<PushStop | undefined> {
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
  const choice = choiceFor(range, options);
  const open = { id: range.id, lines: range.lines, why: whyOpen(range) };
  if (choice === 'skip') {
    if (await skipWrite(deps.db, { account: options.account, id: range.id })) report.skipped += 1;
    return undefined;
  }
  if (choice === 'report' || push.brake.isOn) {
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

function whyOpen({ status, httpStatus }: OpenRange): string {
  if (status === 'unknown') return httpStatus === undefined ? 'no answer came' : `answered ${httpStatus}`;
  return `answered ${httpStatus ?? 'no'}`;
}

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
