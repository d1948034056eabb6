// Pushes logs of one account, one after the other: first what earlier pushes left open, then what is new. A range is
// committed before its lines are sent, so the next push goes on from there however this one ends.
import { basename } from 'node:path';
import type pg from 'pg';
import { ConfigError, messageOf, WarehouseError } from '../core/errors.ts';
import { plural } from '../core/text.ts';
import { withoutRenamedAccounts } from '../store/renamed-accounts.ts';
import { type Chunk, type ChunkOptions, chunkLog, hashOf, type LeftLine } from './logs/chunk-log.ts';
import { type FirstBlock, firstBlock, LogError, type OpenLog, openLog, tailBefore } from './logs/open-log.ts';
import { type CsvHeader, readCsvHeader } from './logs/read-line.ts';
import {
  choiceFor,
  createOutageBrake,
  type Delivered,
  deliver,
  type HoldingWritesInput,
  holdingWrites,
  needsDecision,
  type OutageBrake,
  type Policy,
  type SendDeps,
} from './send.ts';
import {
  addCounts,
  addSource,
  blockLengths,
  findSources,
  type LineCounts,
  noCounts,
  type OpenRange,
  openElsewhere,
  openRanges,
  planRange,
  replanRange,
  type SeenSource,
  seeSource,
  type VisitTally,
  wasLonger,
} from './store/log-ranges.ts';
import { endedUnknown, skipWrite } from './store/write-states.ts';

export interface PushOptions {
  readonly account: string;
  readonly anonymizeIp: boolean;
  readonly stripPrefix: RegExp | undefined;
  readonly unknown: Policy;
  /** Decides about uploads that were once refused for their content. */
  readonly refused: Policy;
  /** Treats the logs as never pushed, whatever they begin with. */
  readonly isNew: boolean;
  readonly job: string | undefined;
  readonly isDry: boolean;
}

export const usualPush: Omit<PushOptions, 'account'> = {
  ...{ anonymizeIp: false, stripPrefix: undefined, isNew: false, job: undefined, isDry: false },
  ...{ unknown: 'report', refused: 'report' },
};

interface OpenUpload {
  readonly id: number;
  readonly lines: number;
  /** HTTP status, or what went wrong. */
  readonly why: string;
}

export interface SourceReport {
  readonly name: string;
  /** Undefined if it has no content yet. */
  readonly sourceId: number | undefined;
  /** It was read before, up to `fromByte`. */
  readonly known: boolean;
  /** More of this file was read before: it was truncated or replaced, so it is read from the start. */
  readonly isTruncated: boolean;
  readonly fromByte: number;
  /** It begins like a log that was sent but is shorter, so nothing of it was sent. */
  readonly isShorter: boolean;
  toByte: number;
  /** Bytes after the last line end; an unfinished line is left for the next push. */
  unfinishedBytes: number;
  counts: LineCounts;
  readonly left: Partial<Record<LeftLine['why'], LeftLine>>;
  /** Visits in lines that were accepted; in a dry run, that would be sent. */
  visits: readonly VisitTally[];
  /** Accepted uploads and their lines; in a dry run, those that would be sent. */
  uploads: number;
  acceptedLines: number;
  readonly refused: OpenUpload[];
  readonly unknown: OpenUpload[];
  skipped: number;
}

export type PushStop =
  | Extract<Delivered, { kind: 'deferred' }>
  /** Two uploads in a row have an unknown outcome, and more would too. */
  | { readonly kind: 'outage'; readonly name: string; readonly readTo: number };

export interface PushSummary {
  readonly sources: readonly SourceReport[];
  readonly notReached: readonly string[];
  /** Logs that could not be read to the end; the others were pushed anyway. */
  readonly failed: readonly { readonly path: string; readonly error: unknown }[];
  readonly stop: PushStop | undefined;
  readonly failure: unknown;
  /** Uploads that wait for logs that were not given this time. */
  readonly elsewhere: readonly { readonly name: string; readonly uploads: number }[];
}

interface PushDeps extends SendDeps {
  readonly pool: pg.Pool;
  readonly onBusy: HoldingWritesInput['onBusy'];
  readonly standardInput: AsyncIterable<Uint8Array>;
  readonly onSource?: (report: SourceReport) => void;
}

/** @throws ConfigError if it is not a regular expression */
export function readStripPrefix(source: string | undefined): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return new RegExp(`^(?:${source})`);
  } catch (error) {
    throw new ConfigError([
      `Expected --strip-prefix to be a regular expression such as '\\S+ +\\| ', got "${source}": ${messageOf(error)}`,
    ]);
  }
}

/** Turns a summary into JSON for --json and jobs, without lines of a log and without addresses. */
export function pushJson({ sources, notReached, failed, stop, elsewhere }: PushSummary) {
  const deferred = stop?.kind === 'deferred' ? stop : undefined;
  return {
    sources: sources.map((source) => ({
      name: source.name,
      source_id: source.sourceId ?? null,
      known: source.known,
      truncated: source.isTruncated,
      shorter: source.isShorter,
      from_byte: source.fromByte,
      to_byte: source.toByte,
      unfinished_bytes: source.unfinishedBytes,
      uploads: source.uploads,
      lines: source.acceptedLines,
      counts: {
        ...source.counts,
        by_bot: visitsBy(source.visits, 'bot'),
        by_status: visitsBy(source.visits, 'status'),
        by_day: visitsBy(source.visits, 'day'),
      },
      refused: source.refused,
      unknown: source.unknown,
      skipped: source.skipped,
    })),
    deferred_until: deferred?.until.toISOString() ?? null,
    deferred_why: deferred?.why ?? null,
    outage: stop?.kind === 'outage' ? { name: stop.name, read_to: stop.readTo } : null,
    not_reached: notReached,
    failed: failed.map(({ path, error }) => ({ path, problem: messageOf(error) })),
    elsewhere,
  };
}

function visitsBy(
  visits: readonly VisitTally[],
  what: 'bot' | 'status' | 'day',
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const visit of visits) sums[visit[what]] = (sums[visit[what]] ?? 0) + visit.visits;
  return sums;
}

/** 0 all was accepted; 1 something was refused, left out, unknown or failed; 3 a limit ended it first. */
export function exitCodeOf({ sources, failed, stop }: PushSummary): 0 | 1 | 3 {
  const isOpen = sources.some(
    ({ isShorter, refused, unknown, counts }) =>
      isShorter || refused.length + unknown.length + counts.no_address > 0,
  );
  if (isOpen || failed.length > 0 || stop?.kind === 'outage') return 1;
  return stop === undefined ? 0 : 3;
}

/**
 * @throws ConfigError if the account may be another name of one that has sent these logs
 * @throws WarehouseError while another process sends logs of the account
 */
export async function pushLogs(
  deps: PushDeps,
  paths: readonly string[],
  options: PushOptions,
): Promise<PushSummary> {
  const { account, isDry } = options;
  if (isDry) return await pushAll(deps, paths, options);
  const { pool, db, config, clock, signal, onBusy } = deps;
  const asked = config.accounts.filter(({ name }) => name === account);
  await withoutRenamedAccounts(db, config, { asked, now: new Date(clock.now()) });
  // Postgres may take a moment to notice that a killed process is gone.
  const longestWaitMs = deps.onWait === undefined ? 5_000 : undefined;
  const held = { pool, account, kind: 'logs', clock, signal, onBusy, longestWaitMs } as const;
  return await holdingWrites(held, (signal) => pushAll({ ...deps, signal }, paths, options));
}

async function pushAll(deps: PushDeps, paths: readonly string[], options: PushOptions): Promise<PushSummary> {
  const { account } = options;
  const brake = createOutageBrake(await endedUnknown(deps.db, account, 'logs'));
  const sources: SourceReport[] = [];
  const failed: { path: string; error: unknown }[] = [];
  let stop: PushStop | undefined;
  let failure: unknown;
  let reached = 0;
  for (const path of paths) {
    if (stop !== undefined || failure !== undefined) break;
    reached += 1;
    try {
      stop = await pushPath({ deps, options, brake }, path, (report) => sources.push(report));
    } catch (error) {
      if (error instanceof LogError && paths.length > 1) failed.push({ path, error });
      else failure = error;
    }
  }
  const notReached = paths.slice(reached);
  const named = new Set([...notReached, ...failed.map(({ path }) => path)].map((path) => basename(path)));
  const given = sources.flatMap(({ sourceId }) => sourceId ?? []);
  // A warehouse that is gone is not asked again.
  const open = failure === undefined ? await openElsewhere(deps.db, account, given) : [];
  return {
    sources,
    notReached,
    failed,
    stop,
    failure,
    elsewhere: open.filter(({ name }) => !named.has(name)),
  };
}

interface Push {
  readonly deps: PushDeps;
  readonly options: PushOptions;
  readonly brake: OutageBrake;
}

interface SourcePush extends Push {
  readonly log: OpenLog;
  readonly csv: CsvHeader | undefined;
  readonly sourceId: number;
  readonly report: SourceReport;
}

/** Pushes one log; undefined once all of it that can be sent is sent. */
async function pushPath(
  push: Push,
  path: string,
  onReport: (report: SourceReport) => void,
): Promise<PushStop | undefined> {
  const { deps, options } = push;
  const log = await openLog(path, deps.standardInput);
  try {
    const name = path === '-' ? '-' : basename(log.name);
    const block = firstBlock(log);
    if (block === undefined) {
      onReport(reportOf(name, { unfinishedBytes: log.holeBytes }));
      return undefined;
    }
    const csv = csvHeaderOf(log, options.stripPrefix);
    const seen: SeenSource = {
      name,
      device: log.device,
      inode: log.inode,
      blockBytes: block.bytes,
      blockHash: block.hash,
    };
    const found = await findSource(deps, log, block, options);
    const { id, position = 0 } = found;
    const isTruncated =
      id === undefined &&
      log.isPlainFile &&
      (await wasLonger(deps.db, options.account, seen, log.sizeBytes ?? 0));
    const sourceId = await noteSource(push, found, seen);
    const place = { known: id !== undefined, fromByte: position, toByte: position, isTruncated };
    const report = reportOf(name, { ...place, sourceId, isShorter: found.isShorter });
    onReport(report);
    if (found.isShorter) return undefined;
    deps.onSource?.(report);
    return await pushSource({ ...push, log, csv, sourceId, report }, found);
  } finally {
    await log.close();
  }
}

function reportOf(name: string, over: Partial<SourceReport>): SourceReport {
  return {
    ...{ name, sourceId: undefined, known: false, isTruncated: false, isShorter: false },
    ...{ fromByte: 0, toByte: 0, unfinishedBytes: 0, counts: noCounts, left: {}, visits: [] },
    ...{ uploads: 0, acceptedLines: 0, refused: [], unknown: [], skipped: 0 },
    ...over,
  };
}

/** @throws LogError if it is CSV without a column that a line needs */
function csvHeaderOf({ name, head }: OpenLog, stripPrefix: RegExp | undefined): CsvHeader | undefined {
  const [first = ''] = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/, 1);
  const text = stripPrefix === undefined ? first : first.replace(stripPrefix, '');
  const header = text.startsWith('{') ? undefined : readCsvHeader(text);
  if (header === undefined || (header.columns.agent !== undefined && header.columns.address !== undefined))
    return header;
  throw new LogError([
    `Expected a CSV with columns for the user agent and the address of the client in ${name}, got ${header.names.join(', ')}. Name them as nginx does, http_user_agent and remote_addr`,
  ]);
}

interface FoundSource {
  readonly id: number | undefined;
  readonly position: number | undefined;
  readonly tailHash: string | undefined;
  /** It ends before the place up to which it was read: a copy cut short. */
  readonly isShorter: boolean;
}

const unknownSource: FoundSource = {
  id: undefined,
  position: undefined,
  tailHash: undefined,
  isShorter: false,
};

/**
 * Finds the log among those pushed before, by its first lines and by the bytes before the place where reading stopped:
 * an equal beginning alone is no proof.
 */
async function findSource(
  { db }: PushDeps,
  log: OpenLog,
  block: FirstBlock,
  { account, isNew }: PushOptions,
): Promise<FoundSource> {
  if (isNew) return unknownSource;
  const lengths = await blockLengths(db, account);
  const blocks = [...lengths.flatMap((bytes) => firstBlock(log, bytes) ?? []), block];
  const candidates = await findSources(db, account, blocks);
  // A pipe can be read only once, so whether it is the newest log shows while reading.
  if (log.inode === null)
    return candidates[0] === undefined ? unknownSource : { ...candidates[0], isShorter: false };
  let shorter: FoundSource | undefined;
  for (const candidate of candidates) {
    const is = await compareTail(log, candidate);
    if (is === 'same') return { ...candidate, isShorter: false };
    if (is === 'shorter') shorter ??= { ...candidate, isShorter: true };
  }
  return shorter ?? unknownSource;
}

async function compareTail(
  log: OpenLog,
  { position = 0, tailHash }: Pick<FoundSource, 'tailHash'> & { readonly position?: number | undefined },
): Promise<'same' | 'other' | 'shorter'> {
  if (tailHash === undefined) return 'same';
  const tail = await tailBefore(log, position);
  if (tail === undefined) return 'shorter';
  return hashOf(tail) === tailHash ? 'same' : 'other';
}

/** Notes a log that was seen. @returns its number; 0 in a dry run that meets it for the first time */
async function noteSource(
  { deps, options }: Push,
  { id, isShorter }: FoundSource,
  seen: SeenSource,
): Promise<number> {
  const { account, isDry } = options;
  if (id === undefined) return isDry ? 0 : await addSource(deps.db, account, seen);
  if (!isDry && !isShorter) await seeSource(deps.db, account, id, seen);
  return id;
}

async function pushSource(push: SourcePush, found: FoundSource): Promise<PushStop | undefined> {
  const { deps, options, log, report } = push;
  const held = options.isDry ? undefined : await pushOpen(push);
  if (held !== undefined) return held;
  if (log.inode === null) await expectSamePipe(push, found);
  // One moment for the whole push, so that a range that is read again comes out the same.
  const at = new Date(deps.clock.now());
  for await (const chunk of chunksOf(push, { fromByte: report.fromByte }, at)) {
    const stop = await pushChunk(push, chunk, at);
    if (stop !== undefined) return stop;
    deps.signal.throwIfAborted();
  }
  report.unfinishedBytes = log.readTo() - report.toByte;
  return undefined;
}

/** @throws WarehouseError if it is another log, which a pipe shows only while it is read */
async function expectSamePipe({ log }: SourcePush, found: FoundSource): Promise<void> {
  const { id, position } = found;
  const is = await compareTail(log, found);
  if (is === 'same') return;
  const how = is === 'other' ? 'it differs there' : 'it ends before that';
  throw new WarehouseError(
    `Standard input begins like log ${id}, which was sent up to byte ${position}, but ${how}. Nothing of it was sent. If it is another log, add --new`,
  );
}

function chunksOf(
  push: SourcePush,
  range: { readonly fromByte: number; readonly toByte?: number },
  at: Date,
): AsyncGenerator<Chunk> {
  const { options, log, csv, report } = push;
  const { anonymizeIp, stripPrefix } = options;
  const onLeft: ChunkOptions['onLeft'] = (line) => {
    const first = report.left[line.why];
    if (first === undefined || (first.names.length === 0 && line.names.length > 0))
      report.left[line.why] = line;
  };
  return chunkLog(log, range, { anonymizeIp, stripPrefix, csv, at, onLeft, signal: push.deps.signal });
}

async function pushChunk(push: SourcePush, chunk: Chunk, at: Date): Promise<PushStop | undefined> {
  const { deps, options, sourceId, report, log } = push;
  deps.signal.throwIfAborted();
  await log.expectSame();
  report.counts = addCounts(report.counts, chunk.counts);
  report.toByte = chunk.toByte;
  expectReadable(push, chunk);
  if (options.isDry) {
    if (chunk.lines > 0) noteAccepted(report, chunk);
    return undefined;
  }
  // Not noted as read, so that it is sent once the user names the prefix to remove.
  if (chunk.lines === 0 && chunk.counts.no_address > 0) return undefined;
  const { account, job } = options;
  const id = await planRange(deps.db, { account, sourceId, job, at }, chunk);
  return await deliverChunk(push, chunk, id);
}

/** @throws LogError for a log in none of the three formats, before anything of it is noted */
function expectReadable({ log, report }: SourcePush, { fromByte, counts }: Chunk): void {
  const isRead = counts.sent + counts.not_bots + counts.too_old + counts.no_address > 0;
  if (isRead || fromByte > 0 || counts.unreadable === 0) return;
  const { told = '', names = [] } = report.left.unreadable ?? {};
  const seen = names.length === 0 ? told : `${told}, and the fields ${names.join(', ')}`;
  throw new LogError([
    `Expected ${log.name} to be in combined format, JSON or CSV with user agents, got ${plural(counts.unreadable, 'line')} that cannot be read: ${seen}. ${prefixHelp}`,
  ]);
}

/** Help for lines with a prefix from docker, syslog or Kubernetes. */
export const prefixHelp =
  "--strip-prefix removes what stands before each line: docker compose '\\S+ +\\| ', syslog and journald '.*?\\]?: ', Kubernetes '\\S+ \\S+ [FP] '";

function noteAccepted(report: SourceReport, { lines, visits }: Chunk): void {
  report.uploads += 1;
  report.acceptedLines += lines;
  report.visits = [...report.visits, ...visits];
}

/** Undefined lets the push go on. */
async function deliverChunk(push: SourcePush, chunk: Chunk, id: number): Promise<PushStop | undefined> {
  const { deps, options, report, brake } = push;
  const { lines, body: bytes } = chunk;
  if (lines === 0) return undefined;
  const type = chunk.form === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
  const write = { account: options.account, id, kind: 'logs', takes: 1, type, bytes } as const;
  const delivered = await deliver(deps, write);
  brake.saw(delivered.kind);
  switch (delivered.kind) {
    case 'accepted':
      noteAccepted(report, chunk);
      return undefined;
    case 'refused':
      report.refused.push({ id, lines, why: `answered ${delivered.status}` });
      return undefined;
    case 'unknown':
      report.unknown.push({ id, lines, why: delivered.problem });
      return brake.isOn ? { kind: 'outage', name: report.name, readTo: report.toByte } : undefined;
    case 'deferred':
      return delivered;
  }
}

/** Undefined lets the push go on. In an outage it sends nothing more, but still names what needs a decision. */
async function pushOpen(push: SourcePush): Promise<PushStop | undefined> {
  const { deps, options, sourceId, report, brake } = push;
  let outage: PushStop | undefined;
  for (const range of await openRanges(deps.db, options.account, sourceId)) {
    const choice = choiceFor(range, options);
    if (choice === 'skip') {
      if (await skipWrite(deps.db, { account: options.account, id: range.id })) report.skipped += 1;
    } else if (choice === 'resend' && !brake.isOn) {
      const stop = await sendAgain(push, range);
      if (stop?.kind === 'deferred') return stop;
      outage ??= stop;
    } else if (needsDecision(range)) {
      const why = range.httpStatus === undefined ? 'no answer came' : `answered ${range.httpStatus}`;
      const { id, lines } = range;
      (range.status === 'unknown' ? report.unknown : report.refused).push({ id, lines, why });
    }
  }
  return outage;
}

/** Sends a range again only if it is unchanged: the same bytes of the log, and no line fewer. */
async function sendAgain(push: SourcePush, range: OpenRange): Promise<PushStop | undefined> {
  const { deps, options, log, report } = push;
  const { id, lines, plannedAt } = range;
  let chunk: Chunk | undefined;
  for await (const read of chunksOf(push, range, plannedAt)) {
    chunk = read;
    break;
  }
  const isSame = chunk?.toByte === range.toByte && chunk.tailHash === range.tailHash;
  if (chunk === undefined || !isSame || chunk.lines < lines) {
    const why = isSame
      ? `it has ${chunk?.lines} lines now: use the same options as before`
      : 'the log has changed there';
    report.refused.push({ id, lines, why });
    return undefined;
  }
  await log.expectSame();
  const isOpen = await replanRange(deps.db, { account: options.account, id }, chunk);
  return isOpen ? await deliverChunk(push, chunk, id) : undefined;
}
