// One slice from claim to publish.
import type { ApiClient } from '../api/client.ts';
import { SkippableError } from '../core/errors.ts';
import type { RunDate } from '../core/run-date.ts';
import type { Stream } from '../streams/stream.ts';
import type { Executor, WalkKind } from '../warehouse/database.ts';
import { carryDetails, detailsToFetch } from '../warehouse/details.ts';
import { pinRecordKey, readPins } from '../warehouse/pins.ts';
import { type Published, publish } from '../warehouse/publish.ts';
import type { PlannedSlice } from '../warehouse/slices.ts';
import { walkSlice } from './walk-slice.ts';

export interface SliceWork {
  readonly db: Executor;
  readonly client: ApiClient;
  readonly stream: Stream;
  readonly slice: PlannedSlice;
  readonly runDate: RunDate;
  /** Configured values of `questions` and `public` streams. */
  readonly values: readonly string[];
  readonly signal: AbortSignal;
  onPage(pageNo: number, records: number): void;
}

export function walkKindOf(stream: Stream): WalkKind {
  return stream.source.kind === 'details' ? 'details' : 'full';
}

/** Walks and publishes a claimed slice. */
export async function syncSlice(work: SliceWork): Promise<Published> {
  const { db, stream, slice } = work;
  const pins = await readPins(db);
  const details = detailsOf(
    work,
    pins.get(stream.source.kind === 'details' ? stream.source.of : '')?.recordKey,
  );
  const listKey = await walkSlice({
    db,
    client: work.client,
    stream,
    slice,
    pinnedList: pins.get(stream.name)?.listKey,
    values: details === undefined ? work.values : await detailsToFetch(db, details),
    priority: stream.priority === 'high' ? 4 : 6,
    signal: work.signal,
    onPage: work.onPage,
  });
  const key = listKey === undefined ? [] : await pinRecordKey(db, slice, stream);
  return await publish(db, {
    sliceId: slice.id,
    key: key ?? [],
    ...(details === undefined ? {} : { carry: (tx: Executor) => carryDetails(tx, details) }),
  });
}

function detailsOf(work: SliceWork, key: readonly (readonly string[])[] | undefined) {
  const { source, name } = work.stream;
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
