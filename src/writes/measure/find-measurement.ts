// Which record of the measurements is the one that was started: by its id, else by the business in it, if it is new. Pure.
import type { ApiClient } from '../../api/client.ts';
import { pageLimit, paginate } from '../../api/paginate.ts';
import { foldName } from '../../config/names.ts';
import type { Clock } from '../../core/clock.ts';
import { RetryableError } from '../../core/errors.ts';
import { dayMs } from '../../core/run-date.ts';
import { bodyIsList, findList, judgeList } from '../../streams/fields/judge-body.ts';
import type { Stream } from '../../streams/stream.ts';

/** Scalars in a record of the API, near its top. Pure. */
interface FoundValue {
  /** Names of the fields from the record to it. */
  readonly path: readonly string[];
  readonly value: string | number;
}

const deepest = 4;

/** Texts and numbers, also in objects and lists in it. */
function valuesIn(record: unknown, path: readonly string[] = [], depth = 0): FoundValue[] {
  if (typeof record === 'string' || typeof record === 'number') return [{ path, value: record }];
  if (typeof record !== 'object' || record === null || depth === deepest) return [];
  if (Array.isArray(record)) return record.flatMap((value) => valuesIn(value, path, depth + 1));
  return Object.entries(record).flatMap(([key, value]) => valuesIn(value, [...path, key], depth + 1));
}

/** Of the measurement itself: `id`, `medicion_id`, `idMedicion`, `runId`; not `cliente_id`. */
const own = /^_?(id|uuid)$|^id_?(medicion|measurement|run)$|^(medicion|measurement|run)_?(id|uuid)$/i;
const around = /^(medicion|measurement|run|resultado|result|data|datos)$/i;

/** The nearest to the top first. A number that JavaScript cannot hold is none. */
export function measurementIds(value: unknown): readonly string[] {
  const ids = valuesIn(value).filter(
    ({ path, value: id }) =>
      own.test(path.at(-1) ?? '') &&
      path.slice(0, -1).every((name) => around.test(name)) &&
      (typeof id === 'string' ? id.trim() !== '' : Number.isSafeInteger(id)),
  );
  return ids.toSorted((a, b) => a.path.length - b.path.length).map((one) => String(one.value));
}

/** The records of `mediciones` that may be new, page after page. Nothing of them is stored. */
const mostPages = 50;

/**
 * Ends early where the newest come first and a page has reached what was before the start.
 * @throws what `ApiClient` throws
 */
export async function walkMeasurements(
  client: Pick<ApiClient, 'get'>,
  stream: Pick<Stream, 'name' | 'route' | 'query' | 'list'>,
  { startedAtMs, signal }: { readonly startedAtMs: number; readonly signal: AbortSignal },
): Promise<readonly unknown[]> {
  const { name, route, query } = stream;
  const request = { stream: name, route, query, withKey: true, accept: 'json', priority: 0 } as const;
  const pages = paginate(client, { ...request, purpose: 'people' }, { limit: pageLimit, signal });
  const all: unknown[] = [];
  for await (const { pageNo, answer } of pages) {
    const records = recordsOf(stream, answer.json);
    all.push(...records);
    if (pageNo >= mostPages || isPast(records, startedAtMs)) break;
  }
  return all;
}

function recordsOf(stream: Pick<Stream, 'route' | 'list'>, body: unknown): readonly unknown[] {
  const judged = judgeList(listKey(stream, body) ?? '', body);
  return judged.kind === 'records' ? judged.records : [];
}

function listKey({ route, list }: Pick<Stream, 'route' | 'list'>, body: unknown): string | undefined {
  if (list.kind === 'key') return list.key;
  const found = findList({ route }, body);
  return found.kind === 'key' ? found.key : bodyIsList;
}

/** Each is as old as the one before it or older, and the last one older than the start by more than a day. */
export function isPast(records: readonly unknown[], startedAtMs: number): boolean {
  const newest = records.map((record) => Math.max(...momentsIn(record)));
  const last = newest.at(-1);
  if (last === undefined || newest.some((ms) => !Number.isFinite(ms))) return false;
  const falls = newest.every((ms, index) => ms <= (newest[index - 1] ?? ms));
  return falls && (newest[0] ?? 0) > last && last < startedAtMs - dayMs;
}

/** Looks through the measurements for the one that was started, less and less often. */
interface LookDeps {
  readonly client: Pick<ApiClient, 'get'>;
  readonly stream: Pick<Stream, 'name' | 'route' | 'query' | 'list'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A look begins after this pause. */
  readonly onPause: (pauseMs: number) => void;
}

export interface SeenMeasurement {
  readonly record: unknown;
  readonly afterMs: number;
}

const firstPauseMs = 30_000;
const longestWaitMs = 1_800_000;

/** Pauses before each look: each twice as long as the one before, half an hour together. */
export function pausesMs(): readonly number[] {
  const pauses: number[] = [];
  let spentMs = 0;
  for (let pauseMs = firstPauseMs; spentMs < longestWaitMs; pauseMs *= 2) {
    pauses.push(Math.min(pauseMs, longestWaitMs - spentMs));
    spentMs += pauseMs;
  }
  return pauses;
}

/**
 * Undefined: not seen. A look that fails is followed by the next one.
 * @throws what `ApiClient` throws where no later look can succeed
 */
export async function lookForMeasurement(
  deps: LookDeps,
  sought: SoughtMeasurement,
): Promise<SeenMeasurement | undefined> {
  const { client, stream, clock, signal, onPause } = deps;
  const { startedAtMs } = sought;
  for (const pauseMs of pausesMs()) {
    onPause(pauseMs);
    await clock.sleep(pauseMs, signal);
    try {
      const record = findMeasurement(await walkMeasurements(client, stream, { startedAtMs, signal }), sought);
      if (record !== undefined) return { record, afterMs: clock.now() - startedAtMs };
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
    }
  }
  return undefined;
}

export interface SoughtMeasurement {
  /** In the answer; undefined: it had none, or none came. */
  readonly id: string | undefined;
  readonly business: string;
  readonly startedAtMs: number;
  /** `recordMark` of those that were there before. */
  readonly before: ReadonlySet<string>;
}

/** The clocks of two machines. */
const clockMs = 300_000;

export function findMeasurement(records: readonly unknown[], sought: SoughtMeasurement): unknown {
  const { id, business, before, startedAtMs } = sought;
  const byId = id === undefined ? undefined : records.find((record) => measurementIds(record).includes(id));
  if (byId !== undefined) return byId;
  return records.find(
    (record) => isAbout(record, business) && !before.has(recordMark(record)) && !isOlder(record, startedAtMs),
  );
}

/** The same for the same measurement, also when its state changed. */
export function recordMark(record: unknown): string {
  return measurementIds(record)[0] ?? JSON.stringify(record);
}

/** Moments of a record, ms: those that it says in ISO form. */
export function momentsIn(record: unknown): readonly number[] {
  return valuesIn(record).flatMap(({ value }) => {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:$|[T ]\d{2}:)/.test(value)) return [];
    const ms = Date.parse(value.replace(' ', 'T'));
    if (Number.isNaN(ms)) return [];
    // A date without a time, or without its zone, is some moment of up to a day after.
    return [/(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10)) ? ms : ms + dayMs];
  });
}

/** Whether all that it dates was before; what has no date is not. */
function isOlder(record: unknown, startedAtMs: number): boolean {
  const moments = momentsIn(record);
  return moments.length > 0 && Math.max(...moments) < startedAtMs - clockMs;
}

function isAbout(record: unknown, business: string): boolean {
  const wanted = foldName(business);
  return valuesIn(record).some(({ value }) => typeof value === 'string' && foldName(value) === wanted);
}
