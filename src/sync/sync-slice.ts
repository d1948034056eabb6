// One slice from claim to publish.
import type { ApiClient } from '../api/client.ts';
import { SkippableError } from '../core/errors.ts';
import type { RunDate } from '../core/run-date.ts';
import type { Executor } from '../warehouse/database.ts';
import { areRecordsPublished, carryDetails, detailsToFetch } from '../warehouse/details.ts';
import { compareHead, isHeadKeyed } from '../warehouse/head.ts';
import { isCandidate, type Pins, pinRecordKey, readPins, suggestRecordKey } from '../warehouse/pins.ts';
import { type Published, type PublishInput, publish, UnfitKeyError } from '../warehouse/publish.ts';
import { hadReplacedValues } from '../warehouse/replaced-values.ts';
import type { PlannedSlice } from '../warehouse/slices.ts';
import { askDamagedOnceMore } from './ask-damaged-once-more.ts';
import type { InTurn } from './lanes.ts';
import type { PlannedWalk } from './plan.ts';
import { isArchive } from './slice-cost.ts';
import { walkSlice } from './walk-slice.ts';

export interface SliceWork {
  readonly db: Executor;
  readonly client: ApiClient;
  readonly walk: PlannedWalk;
  readonly slice: PlannedSlice;
  readonly runDate: RunDate;
  readonly runId: number;
  /** Configured values of `questions` and `public` streams. */
  readonly values: readonly string[];
  /** Pages without anything new or changed that end a walk from the head. */
  readonly quietPages: number;
  /** Added to the priority of each request. */
  readonly placesBack: number;
  readonly inTurn: InTurn;
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
  onPage(pageNo: number, records: number): void;
}

/** Walks and publishes a claimed slice. */
export async function syncSlice(work: SliceWork): Promise<Published> {
  const { db, slice } = work;
  const { stream, leastPages, fullPages } = work.walk;
  const pins = await readPins(db);
  const details = detailsOf(
    work,
    pins.get(stream.source.kind === 'details' ? stream.source.of : '')?.recordKey,
  );
  if (details !== undefined && (await areRecordsPublished(db, details)) === false) {
    throw new SkippableError(
      `Expected the records of ${details.of} to be published for ${work.runDate} before their details are asked for, got them unfinished; ` +
        'the next sync of this run date walks both',
      { account: slice.account, stream: stream.name },
    );
  }
  const { listKey, isHead } = await walkSlice({
    db,
    client: askDamagedOnceMore(work.client, () => hadReplacedValues(db, slice)),
    stream,
    slice,
    runId: work.runId,
    pinnedList: pins.get(stream.name)?.listKey,
    values: details === undefined ? work.values : await detailsToFetch(db, details),
    priority: (stream.priority === 'high' ? 4 : 6) + work.placesBack,
    endsHead: headEndOf(work, pins.get(stream.name)),
    signal: work.signal,
    stop: work.stop,
    onPage: work.onPage,
  });
  const rule = { leastPages, quietPages: work.quietPages };
  const input = {
    sliceId: slice.id,
    runId: work.runId,
    pages: stream.source.kind !== 'walk' ? 'single' : isHead ? 'head' : 'chain',
    ...(isArchive(stream) ? { archive: { isHead, rule, fullPages } } : {}),
    ...(details === undefined ? {} : { carry: (tx: Executor) => carryDetails(tx, details) }),
  } as const;
  return await work.inTurn(async () => {
    if (listKey === undefined) return await publish(db, { ...input, key: [] });
    const suggested = await suggestRecordKey(db, slice, stream);
    const published = suggested && (await publishIfFits(db, { ...input, key: suggested, pins: true }));
    if (published !== undefined) return published;
    const key = await pinRecordKey(db, slice, stream);
    return await publish(db, { ...input, key: key ?? [] });
  });
}

async function publishIfFits(db: Executor, input: PublishInput): Promise<Published | undefined> {
  try {
    return await publish(db, input);
  } catch (error) {
    if (error instanceof UnfitKeyError) return undefined;
    throw error;
  }
}

/**
 * When a walk from the head may end: after its least pages, once the last ones hold nothing new or changed.
 * Undefined where every page is walked: without a key of its own no record can be told from a stored one.
 */
function headEndOf(work: SliceWork, pins: Pins | undefined) {
  const { db, slice, runDate, quietPages } = work;
  const { stream, walk, leastPages } = work.walk;
  const key = pins?.recordKey;
  if (walk !== 'head' || slice.published) return undefined;
  if (key === undefined || key.length === 0 || !isCandidate(key, stream)) return undefined;
  let keyed = true;
  return async (pageNo: number): Promise<boolean> => {
    if (!keyed || pageNo < leastPages || pageNo < quietPages) return false;
    const question = { slice, runDate, key };
    const last = await compareHead(db, question, pageNo - quietPages + 1);
    if (last.some((page) => page.fresh > 0)) return false;
    // A record that came twice, or without its key, may hide a stored one: then the walk goes on to the end.
    keyed = await isHeadKeyed(db, question);
    return keyed;
  };
}

function detailsOf(work: SliceWork, key: readonly (readonly string[])[] | undefined) {
  const { source, name } = work.walk.stream;
  if (source.kind !== 'details') return undefined;
  if (key !== undefined && key.length === 0) {
    throw new SkippableError(
      `Expected records of ${source.of} to have an identifier to ask ${name} with, got none; ` +
        `set streams.${source.of}.keys in airank.config.yaml`,
      { account: work.slice.account, stream: name },
    );
  }
  return { details: work.slice, of: source.of, key: key ?? [], runDate: work.runDate };
}
