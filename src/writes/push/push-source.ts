// One log: first what earlier pushes of it left open, then what is new in it. A range is committed before its lines are
// sent, so whatever ends the push, the next one goes on from there.

import { WarehouseError } from '../../core/errors.ts';
import { isRefusedForContent } from '../../core/refused-for-content.ts';
import {
  addCounts,
  type OpenRange,
  openRanges,
  planRange,
  replaceRange,
  skipWrite,
} from '../../warehouse/writes/log-writes.ts';
import { type DeliverDeps, deliver, type UnknownPolicy } from '../deliver.ts';
import { chunkLog, mayGrow } from '../logs/chunk-log.ts';
import { createFindBot } from '../logs/find-bot.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import type { FoundFormat } from '../logs/log-event.ts';
import { splitChunk } from '../logs/split-chunk.ts';
import type { OutageBrake } from '../outage-brake.ts';
import { needsDecision } from '../pushed-questions.ts';
import type { WindowedLog } from './block-window.ts';
import type { FoundSource } from './find-source.ts';
import type { PushListener, PushOptions, PushStop, SourceReport } from './push-options.ts';
import { countsOf, rangeOf } from './range-of-chunk.ts';

export interface SourcePush {
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

/** What earlier pushes left open. In an outage nothing more is sent, and what needs a decision is still named. */
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

const findBot = createFindBot();

/** Of a range that was planned earlier, as of then: so that the same lines are too old, and the body is the same. */
function chunksOf(push: SourcePush, range: { fromByte: number; toByte?: number }, at: Date) {
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

async function pushAgain(push: SourcePush, range: OpenRange): Promise<PushStop | undefined> {
  const { deps, options, report } = push;
  const policy = policyOf(range, options);
  const open = { id: range.id, lines: range.lines, why: whyOpen(range) };
  if (policy === 'skip') {
    await skipWrite(deps.db, options.account, range.id);
    report.skipped += 1;
    return undefined;
  }
  if (policy === 'report' || push.brake.isOn) {
    if (needsDecision(range)) (range.status === 'unknown' ? report.unknown : report.refused).push(open);
    return undefined;
  }
  const chunks: LogChunk[] = [];
  for await (const chunk of chunksOf(push, range, range.plannedAt)) chunks.push(chunk);
  const read = chunks.at(-1)?.toByte ?? range.fromByte;
  if (read < range.toByte) {
    // The rest of the range is gone, so nobody can send it any more.
    report.refused.push({ ...open, why: `the log has only ${read} of ${range.toByte} bytes` });
    return undefined;
  }
  await push.log.expectSame();
  // One chunk, unless another filter makes more of it.
  const ranges = chunks.map((chunk) => rangeOf(chunk, push.log, push.format.name, options));
  const ids = await replaceRange(deps.db, { account: options.account, id: range.id }, ranges);
  for (const [place, chunk] of chunks.entries()) {
    const id = ids[place];
    const stop = id === undefined ? undefined : await deliverChunk(push, chunk, id);
    if (stop !== undefined) return stop;
  }
  return undefined;
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
        await skipWrite(deps.db, options.account, id);
        report.skipped += 1;
      } else report.unknown.push({ ...open, why: delivered.problem });
      return push.brake.isOn ? { kind: 'outage', name: report.name, readTo: report.toByte } : undefined;
    case 'deferred':
      return delivered;
    case 'gone':
      throw new WarehouseError(
        `Upload ${id} was sent by another process, which must not be. Look at airank writes, then run it again`,
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
  const ranges = halves.map((half) => rangeOf(half, push.log, push.format.name, options));
  const ids = await replaceRange(deps.db, { account: options.account, id }, ranges);
  for (const [place, half] of halves.entries()) {
    const stop = await deliverChunk(push, half, ids[place] ?? id);
    if (stop !== undefined) return stop;
  }
  return undefined;
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
