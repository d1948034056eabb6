// How far one account is: what each of its slices takes, learned from the plan, from pages and from slices that ended.
import type { Scope } from '../../store/slices/slices.ts';
import { timeToMakeMs } from '../plan/forecast.ts';
import { scopeKey } from '../plan/plan.ts';
import type { PlannedLoad, SliceOutcome, SyncEvent } from './sync-options.ts';

export interface AccountLoad {
  follow(event: SyncEvent): void;
  view(): AccountView;
  /** Undefined: it has ended. */
  fetched(scope: Scope): NowFetched | undefined;
}

/** A slice that is being fetched, with its requests so far and, if known, of how many. */
export interface NowFetched {
  readonly scope: Scope;
  readonly made: number;
  readonly of: number | undefined;
}

interface AccountView {
  readonly slices: number;
  readonly ended: number;
  readonly failed: number;
  readonly records: number;
  readonly made: number;
  readonly left: number;
  readonly isAtLeast: boolean;
  readonly walking: number;
  readonly inLastMinute: number;
  readonly perMinute: number;
  readonly etaMs: number;
  readonly remainingToday: number | undefined;
  readonly later: Later | undefined;
  readonly full: FullMinute | undefined;
}

/** Wait until a request may go out, and whether the server asked for it. */
export interface FullMinute {
  readonly ms: number;
  readonly isAsked: boolean;
}

/** Work that the day has no room for. */
export interface Later {
  /** Requests that are left for after today. */
  readonly requests: number;
  /** Slices that were already put off. */
  readonly slices: number;
  /** When the day's requests renew; undefined: they did since that was known. */
  readonly until: Date | undefined;
}

interface Expected {
  readonly load: PlannedLoad;
  /** Requests of the whole slice; for a first walk, those known so far. */
  requests: number;
  isAtLeast: boolean;
  made: number;
  state: 'waits' | 'walks' | 'ended';
}

const minuteMs = 60_000;
/** Shorter waits come and go with each request. */
const leastFullMs = 3_000;

export function createAccountLoad(now: () => number): AccountLoad {
  const slices = new Map<string, Expected>();
  /** Streams whose records have details: at the end of others no slice is looked for. */
  const detailed = new Set<string>();
  let recentMs: number[] = [];
  let perMinute = 0;
  let until: Date | undefined;
  let remainingToday: number | undefined;
  let full = { untilMs: 0, isAsked: false };
  let [made, failed, records, deferred] = [0, 0, 0, 0];

  const plan = (loads: readonly PlannedLoad[]) => {
    for (const load of loads) {
      const known = slices.get(scopeKey(load));
      if (known !== undefined && known.state !== 'waits') continue;
      // A list's own count of its details is newer than a plan that does not know it.
      if (known !== undefined && !known.isAtLeast && load.isAtLeast) continue;
      const { requests, isAtLeast, detailsOf } = load;
      if (detailsOf !== undefined) detailed.add(detailsOf);
      slices.set(scopeKey(load), { load, requests, isAtLeast, made: 0, state: 'waits' });
    }
  };

  const end = (outcome: SliceOutcome) => {
    const slice = slices.get(scopeKey(outcome));
    if (outcome.end === 'failed') failed += 1;
    if (outcome.end === 'deferred') deferred += 1;
    if (slice === undefined) return;
    slice.state = 'ended';
    if (outcome.end !== 'complete' || !detailed.has(outcome.stream)) return;
    for (const details of slices.values()) {
      const { detailsOf, clientId } = details.load;
      if (detailsOf !== outcome.stream || clientId !== outcome.clientId || !details.isAtLeast) continue;
      details.requests = outcome.records;
      details.isAtLeast = false;
    }
  };

  const request = (remaining: number | undefined) => {
    made += 1;
    full = { untilMs: 0, isAsked: false };
    recentMs.push(now());
    remainingToday = remaining ?? remainingToday;
  };

  const inLastMinute = () => {
    recentMs = recentMs.filter((ms) => now() - ms < minuteMs);
    return recentMs;
  };

  const laterOf = (requests: number): Later | undefined => {
    if (requests + deferred === 0 || until === undefined) return undefined;
    const isPast = until.getTime() <= now();
    return { requests, slices: deferred, until: isPast ? undefined : until };
  };

  return {
    follow(event) {
      if (event.kind === 'planned') {
        ({ perMinute, until } = event);
        plan(event.loads);
      } else if (event.kind === 'budget_ended') until = event.until;
      else if (event.kind === 'full') {
        const { until, isAsked } = event;
        if (until.getTime() - now() >= leastFullMs) full = { untilMs: until.getTime(), isAsked };
      } else if (event.kind === 'request') request(event.remainingToday);
      else if (event.kind === 'slice') end(event.outcome);
      else if (event.kind === 'begun' || event.kind === 'page') {
        const slice = slices.get(scopeKey(event.scope));
        if (event.kind === 'page') records += event.records;
        if (slice === undefined) return;
        if (slice.state === 'waits') slice.state = 'walks';
        if (event.kind === 'page') slice.made += 1;
      }
    },
    fetched(scope) {
      const slice = slices.get(scopeKey(scope));
      if (slice?.state !== 'walks') return undefined;
      const isCounted = slice.load.phase === 'details' && !slice.isAtLeast;
      return { scope, made: slice.made, of: isCounted ? Math.max(slice.requests, slice.made) : undefined };
    },
    view() {
      const all = [...slices.values()];
      const usual = usualRequests(all);
      const left = all.reduce((sum, slice) => sum + leftOf(slice, usual.get(slice.load.stream) ?? 0), 0);
      const today = Math.min(left, remainingToday ?? left);
      const recent = inLastMinute();
      const nowMs = now();
      return {
        slices: all.length,
        ended: all.filter(({ state }) => state === 'ended').length,
        failed,
        records,
        made,
        left,
        isAtLeast: all.some(({ state, isAtLeast }) => state !== 'ended' && isAtLeast),
        walking: all.filter(({ state }) => state === 'walks').length,
        // Retries and answers that came late may crowd it; the gate lets no more through.
        inLastMinute: Math.min(recent.length, perMinute),
        perMinute,
        etaMs: perMinute === 0 ? 0 : timeToMakeMs(today, perMinute),
        remainingToday,
        later: laterOf(left - today),
        full: full.untilMs > nowMs ? { ms: full.untilMs - nowMs, isAsked: full.isAsked } : undefined,
      };
    },
  };
}

/** Averages requests by stream, where they are known: other slices of a first load take about that. */
function usualRequests(all: readonly Expected[]): Map<string, number> {
  const known = new Map<string, { slices: number; requests: number }>();
  for (const { load, state, isAtLeast, made, requests } of all) {
    if (!load.isAtLeast || (isAtLeast && state !== 'ended')) continue;
    const of = known.get(load.stream) ?? { slices: 0, requests: 0 };
    of.slices += 1;
    of.requests += state === 'ended' ? made : requests;
    known.set(load.stream, of);
  }
  return new Map([...known].map(([stream, of]) => [stream, Math.round(of.requests / of.slices)]));
}

function leftOf({ state, requests, made, isAtLeast }: Expected, usual: number): number {
  if (state === 'ended') return 0;
  // A list that is not at its end has at least one more page.
  return isAtLeast ? Math.max(Math.max(requests, usual) - made, 1) : Math.max(requests - made, 0);
}
