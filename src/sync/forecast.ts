// What a sync would request and how far the budget carries it. Pure. Figures are lower bounds where a
// stream was never walked: how many pages it has is then unknown.
import { groupBy } from '../core/group-by.ts';
import type { SliceState } from '../warehouse/slice-states.ts';
import type { PlannedWalk } from './plan.ts';

export interface ForecastInput {
  readonly account: string;
  /** Every slice in the order of the run. */
  readonly walks: readonly PlannedWalk[];
  readonly states: readonly SliceState[];
  /** Requests of streams that ask once for each configured value, by stream. */
  readonly exactRequests: ReadonlyMap<string, number>;
  /** Streams whose stored pages are no chain: each is one record, and none is the last. */
  readonly singleRecordStreams: ReadonlySet<string>;
  /** Walk also what is complete. */
  readonly again: boolean;
  readonly perMinute: number;
  readonly leftToday: number;
  /** When the day's requests renew or the server lets the key in again. */
  readonly renewsAt: Date;
  readonly now: Date;
}

export interface StreamForecast {
  readonly stream: string;
  readonly slices: number;
  /** Complete or unavailable on this run date: nothing to do. */
  readonly done: number;
  /** A living run is walking them. */
  readonly walking: number;
  /** Pages of unfinished walks that are stored and not requested again. */
  readonly stored_pages: number;
  /** The oldest of the slices' newest published dates; null: some were never published. */
  readonly last_run_date: string | null;
  /** Expected requests, at least. */
  readonly requests: number;
  /** Of the slices to do, how many were never walked: each may take more requests than counted. */
  readonly first_walks: number;
}

export interface Forecast {
  readonly account: string;
  readonly slices: number;
  readonly to_do: number;
  readonly requests: number;
  readonly first_walks: number;
  readonly streams: readonly StreamForecast[];
  /** Slices that fit into what is left of today's budget. */
  readonly fits: number;
  readonly deferred: number;
  readonly deferred_streams: readonly string[];
  /** When deferred slices could go on, ISO 8601; null: none is deferred. */
  readonly deferred_until: string | null;
  /** The requests that are to be made today. */
  readonly requests_today: number;
  /** Earliest end of what fits, by the limit of a minute, ISO 8601. */
  readonly ends_at_earliest: string;
}

interface SliceForecast extends PlannedWalk {
  readonly toDo: boolean;
  readonly walking: boolean;
  readonly storedPages: number;
  readonly requests: number;
  readonly firstWalk: boolean;
}

export function forecast(input: ForecastInput): Forecast {
  const states = new Map(input.states.map((state) => [keyOf(state), state]));
  const slices = input.walks.map((walk) => forecastSlice(walk, states.get(keyOf(walk)), input));
  const toDo = slices.filter((slice) => slice.toDo);
  const requests = total(toDo);
  // The first slice that does not fit keeps its checkpoint; all after it wait with it.
  let left = input.leftToday;
  const firstWaiting = toDo.findIndex((slice) => {
    left -= slice.requests;
    return left < 0;
  });
  const fitting = firstWaiting === -1 ? toDo : toDo.slice(0, firstWaiting);
  const waiting = toDo.slice(fitting.length);
  const requestsToday = Math.min(requests, input.leftToday);
  return {
    account: input.account,
    slices: slices.length,
    to_do: toDo.length,
    requests,
    first_walks: toDo.filter((slice) => slice.firstWalk).length,
    streams: byStream(slices),
    fits: fitting.length,
    deferred: waiting.length,
    deferred_streams: [...new Set(waiting.map((slice) => slice.stream))],
    deferred_until: waiting.length === 0 ? null : input.renewsAt.toISOString(),
    requests_today: requestsToday,
    ends_at_earliest: new Date(
      input.now.getTime() + shortestMs(requestsToday, input.perMinute),
    ).toISOString(),
  };
}

/** A minute's requests may go at once; each further minute's wait for the one before. */
export function shortestMs(requests: number, perMinute: number): number {
  return Math.max(Math.ceil(requests / perMinute) - 1, 0) * 60_000;
}

function forecastSlice(
  walk: PlannedWalk,
  state: SliceState | undefined,
  input: ForecastInput,
): SliceForecast {
  const done = state?.status === 'complete' || state?.status === 'unavailable';
  const walking = state?.claimed === true;
  const storedPages = input.again || state === undefined ? 0 : state.storedPages;
  const expected = input.exactRequests.get(walk.stream) ?? walk.expectedRequests;
  const slice = { ...walk, walking, storedPages, firstWalk: expected === undefined };
  if (done && !input.again) return { ...slice, toDo: false, requests: 0 };
  const single = input.singleRecordStreams.has(walk.stream);
  if (storedPages > 0 && state?.atEnd === true && !single) return { ...slice, toDo: true, requests: 0 };
  // A chain that is not at its end has at least one more page; single records may all be there.
  const least = single && storedPages > 0 ? 0 : 1;
  return { ...slice, toDo: true, requests: Math.max((expected ?? 1) - storedPages, least) };
}

function byStream(slices: readonly SliceForecast[]): StreamForecast[] {
  return [...groupBy(slices, (slice) => slice.stream)].map(([stream, group]) => {
    const toDo = group.filter((slice) => slice.toDo);
    return {
      stream,
      slices: group.length,
      done: group.length - toDo.length,
      walking: toDo.filter((slice) => slice.walking).length,
      stored_pages: toDo.reduce((sum, slice) => sum + slice.storedPages, 0),
      last_run_date: oldest(group.map((slice) => slice.lastRunDate)),
      requests: total(toDo),
      first_walks: toDo.filter((slice) => slice.firstWalk).length,
    };
  });
}

function oldest(dates: readonly (string | undefined)[]): string | null {
  return dates.reduce<string | null>((found, date, index) => {
    if (date === undefined || (index > 0 && found === null)) return null;
    return found === null || date < found ? date : found;
  }, null);
}

function total(slices: readonly SliceForecast[]): number {
  return slices.reduce((sum, slice) => sum + slice.requests, 0);
}

function keyOf(scope: { readonly stream: string; readonly clientId: string }): string {
  return JSON.stringify([scope.stream, scope.clientId]);
}
