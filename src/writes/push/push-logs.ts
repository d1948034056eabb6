// Pushes logs of one account, one after the other, as far as limits and answers allow.

import { basename } from 'node:path';
import type pg from 'pg';
import { ConfigError } from '../../core/errors.ts';
import { withoutRenamedAccounts } from '../../store/renamed-accounts.ts';
import { createOutageBrake, type DeliverDeps, type OutageBrake } from '../deliver.ts';
import { type HoldingWritesInput, holdingWrites } from '../hold-writes.ts';
import { refuseWithoutAgents } from '../logs/chunk-lines.ts';
import { formatOf, mayGrow } from '../logs/chunk-log.ts';
import { DamagedLogError } from '../logs/decompress.ts';
import type { FoundFormat } from '../logs/log-event.ts';
import { openLog } from '../logs/open-log.ts';
import { noCounts, openElsewhere } from '../store/log-writes.ts';
import { endedUnknown } from '../store/write-states.ts';
import { steadyLog, withWindow } from './block-window.ts';
import { type FoundSource, findSource } from './find-source.ts';
import { pushSource } from './push-source.ts';
import type {
  FailedLog,
  PushListener,
  PushOptions,
  PushStop,
  PushSummary,
  SourceReport,
} from './push-summary.ts';

interface PushDeps extends Omit<DeliverDeps, 'unknown'> {
  readonly pool: pg.Pool;
  readonly onBusy: HoldingWritesInput['onBusy'];
  /** What `-` reads. */
  readonly standardInput: AsyncIterable<Uint8Array>;
}

interface Progress {
  readonly sources: SourceReport[];
  stop: PushStop | undefined;
  readonly brake: OutageBrake;
}

/**
 * A single log that cannot be read, or in no format that is known, is the failure of the push; of several, the others go on.
 * @throws ConfigError where the account may be another name of one that has sent them
 * @throws WarehouseError when another process sends logs of the account just now
 */
export async function pushLogs(
  deps: PushDeps,
  paths: readonly string[],
  options: PushOptions,
  listener: PushListener,
): Promise<PushSummary> {
  const { account } = options;
  if (options.isDry) return await pushAll(deps, paths, options, listener);
  const { pool, db, config, clock, signal, onBusy } = deps;
  const asked = config.accounts.filter(({ name }) => name === account);
  await withoutRenamedAccounts(db, config, { asked, now: new Date(clock.now()) });
  // Postgres may take a moment to notice that a killed process is gone.
  const held = {
    pool,
    account,
    kind: 'logs',
    clock,
    signal,
    onBusy,
    ...(deps.onWait === undefined && { longestWaitMs: 5_000 }),
  } as const;
  return await holdingWrites(held, (signal) => pushAll({ ...deps, signal }, paths, options, listener));
}

async function pushAll(
  deps: PushDeps,
  paths: readonly string[],
  options: PushOptions,
  listener: PushListener,
): Promise<PushSummary> {
  const brake = createOutageBrake(await endedUnknown(deps.db, options.account, 'logs'));
  const progress: Progress = { sources: [], stop: undefined, brake };
  const failed: FailedLog[] = [];
  let failure: unknown;
  let reached = 0;
  for (const path of paths) {
    if (progress.stop !== undefined || failure !== undefined) break;
    reached += 1;
    try {
      await pushPath(deps, path, options, listener, progress);
    } catch (error) {
      if (paths.length > 1 && isOfTheLog(error)) failed.push({ path, error });
      else failure = error;
    }
  }
  const { sources, stop } = progress;
  const given = sources.flatMap(({ sourceId }) => sourceId ?? []);
  const notReached = paths.slice(reached);
  const named = new Set([...notReached, ...failed.map(({ path }) => path)].map((path) => basename(path)));
  // Nothing more is asked of a warehouse that is gone.
  const open = failure === undefined ? await openElsewhere(deps.db, options.account, given) : [];
  return {
    sources,
    notReached,
    failed,
    stop,
    failure,
    elsewhere: open.filter(({ name }) => !named.has(name)),
  };
}

function isOfTheLog(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof DamagedLogError;
}

async function pushPath(
  deps: PushDeps,
  path: string,
  options: PushOptions,
  listener: PushListener,
  progress: Progress,
): Promise<void> {
  const opened = await openLog(path, deps.standardInput);
  try {
    const format = formatOf(opened, options.wanted);
    if (format === null) {
      const unfinishedBytes = mayGrow(opened) ? opened.head.length - opened.head.lastIndexOf('\n') - 1 : 0;
      const empty = { ...emptyReport(opened.name), format: 'empty', formatWhy: 'no whole line' };
      progress.sources.push({ ...empty, unfinishedBytes });
      return;
    }
    refuseWithoutAgents(format, options.allAgents);
    const log = withWindow(steadyLog(opened, deps.signal));
    const source = await findSource(deps.db, log, options);
    const report = reportOf(source, format);
    progress.sources.push(report);
    if (source.isShorter) return;
    const isPlain = mayGrow(log);
    listener.onSource(report, isPlain ? (log.sizeBytes ?? undefined) : undefined, log.readTo);
    const push = {
      deps: { ...deps, unknown: options.unknown },
      options,
      listener,
      log,
      format,
      source,
      report,
      brake: progress.brake,
    };
    progress.stop = await pushSource(push);
    if (progress.stop === undefined && !format.inArray && (isPlain || log.sizeBytes === null)) {
      report.unfinishedBytes = Math.max((log.sizeBytes ?? log.readTo()) - report.toByte, 0);
    }
  } finally {
    await opened.close();
  }
}

function reportOf({ id, name, known, position, isShorter }: FoundSource, format: FoundFormat): SourceReport {
  return {
    ...emptyReport(name),
    sourceId: id,
    format: format.name,
    formatWhy: format.why,
    known,
    fromByte: position,
    isShorter,
    toByte: position,
  };
}

function emptyReport(name: string): SourceReport {
  return {
    name,
    sourceId: undefined,
    format: '',
    formatWhy: '',
    known: false,
    fromByte: 0,
    isShorter: false,
    toByte: 0,
    unfinishedBytes: 0,
    counts: noCounts,
    uploads: 0,
    acceptedLines: 0,
    refused: [],
    unknown: [],
    skipped: 0,
  };
}
