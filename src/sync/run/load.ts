// Progress of a sync, built from its events: requests made and left, what is being fetched, and when it ends. Pure, as
// the time is handed in. A first load has three parts: the list of clients says how many lists there are, the end of a
// list how many pages it has, and its records how many requests of their own follow.
import { groupBy } from '../../core/group-by.ts';
import type { OpenRun } from '../../status/open-runs.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { timeToMakeMs } from '../plan/forecast.ts';
import { scopeKey } from '../plan/plan.ts';
import type { PlannedLoad, SliceOutcome, SyncEvent } from './sync-options.ts';

export interface LoadView {
  readonly streams: number;
  readonly ended: number;
  readonly failed: number;
  readonly made: number;
  readonly left: number;
  /** There may be more: a list is not at its end, or was never begun. */
  readonly isAtLeast: boolean;
  readonly now: { readonly scope: Scope; readonly made: number; readonly of: number | undefined } | undefined;
  readonly walking: number;
  readonly perMinute: number;
  /** Time until all that the day has room for is done. */
  readonly etaMs: number;
  /** Work for which the day has no room: requests, deferred streams, and when requests renew, if they will. */
  readonly later:
    | { readonly requests: number; readonly streams: number; readonly until: Date | undefined }
    | undefined;
  /** Time until an account may make a request, and whether the server asked for the wait; undefined if one may now. */
  readonly full: { readonly ms: number; readonly isAsked: boolean } | undefined;
  readonly awayMs: number | undefined;
  readonly waitsFor: OpenRun | undefined;
}

export interface Load {
  follow(event: SyncEvent): void;
  view(): LoadView;
}

interface Expected {
  readonly load: PlannedLoad;
  requests: number;
  isAtLeast: boolean;
  made: number;
  state: 'waits' | 'walks' | 'ended';
}

interface AccountLoad {
  readonly slices: Map<string, Expected>;
  /** Streams of details, with that of the list that tells how many there are. */
  readonly details: Map<string, string>;
  perMinute: number;
  until: Date | undefined;
  remainingToday: number | undefined;
  full: { readonly untilMs: number; readonly isAsked: boolean };
  made: number;
  readonly failed: Set<string>;
  readonly deferred: Set<string>;
}

/** Shorter waits come and go with each request, and are not shown. */
const leastFullMs = 3_000;
const notFull = { untilMs: 0, isAsked: false };

function newAccount(): AccountLoad {
  return {
    made: 0,
    perMinute: 0,
    slices: new Map(),
    details: new Map(),
    failed: new Set(),
    deferred: new Set(),
    until: undefined,
    remainingToday: undefined,
    full: notFull,
  };
}

export function createLoad(now: () => number): Load {
  const accounts = new Map<string, AccountLoad>();
  let last: Scope | undefined;
  let waitsFor: OpenRun | undefined;
  let awaySince: Date | undefined;
  return {
    follow(event) {
      if (event.kind === 'database') {
        awaySince = event.since;
        return;
      }
      if (event.kind === 'page' || event.kind === 'begun') last = event.scope;
      if (event.kind === 'waiting') waitsFor = event.run;
      else if (event.kind !== 'request' && event.kind !== 'full') waitsFor = undefined;
      const name = accountNameOf(event);
      const account = accounts.get(name) ?? newAccount();
      accounts.set(name, account);
      follow(account, event, now());
    },
    view() {
      const nowMs = now();
      const all = [...accounts.values()];
      const sum = (figure: (account: AccountLoad) => number) =>
        all.reduce((total, account) => total + figure(account), 0);
      const slices = all.flatMap((account) => [...account.slices.values()]);
      const streams = all.flatMap((account) => [
        ...groupBy([...account.slices.values()], ({ load }) => load.stream).values(),
      ]);
      const walks = all.map((account) => {
        const left = leftOf(account);
        return { ...account, left, today: Math.min(left, account.remainingToday ?? left) };
      });
      const left = walks.reduce((total, account) => total + account.left, 0);
      const working = walks.filter((account) => account.left > 0);
      const later = walks.filter(
        (account) => account.until !== undefined && account.left - account.today + account.deferred.size > 0,
      );
      const renewals = later.flatMap(({ until }) =>
        until !== undefined && until.getTime() > nowMs ? until : [],
      );
      const full = working.filter((account) => account.full.untilMs > nowMs).map((account) => account.full);
      const [first] = full.sort((a, b) => a.untilMs - b.untilMs);
      return {
        streams: streams.length,
        ended: streams.filter((group) => group.every(({ state }) => state === 'ended')).length,
        failed: sum((account) => account.failed.size),
        made: sum((account) => account.made),
        left,
        isAtLeast: slices.some(({ state, isAtLeast }) => state !== 'ended' && isAtLeast),
        now: last && fetched(last, accounts.get(last.account)?.slices.get(scopeKey(last))),
        walking: slices.filter(({ state }) => state === 'walks').length,
        perMinute: sum((account) => account.perMinute),
        etaMs: Math.max(
          0,
          ...working.map(({ today, perMinute }) => (perMinute === 0 ? 0 : timeToMakeMs(today, perMinute))),
        ),
        later:
          later.length === 0
            ? undefined
            : {
                requests: later.reduce((total, account) => total + account.left - account.today, 0),
                streams: later.reduce((total, account) => total + account.deferred.size, 0),
                until: renewals.sort((a, b) => a.getTime() - b.getTime())[0],
              },
        full:
          first === undefined || full.length < working.length
            ? undefined
            : { ms: first.untilMs - nowMs, isAsked: first.isAsked },
        awayMs: awaySince === undefined ? undefined : nowMs - awaySince.getTime(),
        waitsFor,
      };
    },
  };
}

function follow(account: AccountLoad, event: SyncEvent, nowMs: number): void {
  switch (event.kind) {
    case 'planned':
      account.perMinute = event.perMinute;
      account.until = event.until;
      plan(account, event.loads);
      return;
    case 'budget_ended':
      account.until = event.until;
      return;
    case 'full':
      if (event.until.getTime() - nowMs >= leastFullMs)
        account.full = { untilMs: event.until.getTime(), isAsked: event.isAsked };
      return;
    case 'request':
      account.made += 1;
      account.full = notFull;
      account.remainingToday = event.remainingToday ?? account.remainingToday;
      return;
    case 'slice':
      end(account, event.outcome);
      return;
    case 'begun':
    case 'page': {
      const slice = account.slices.get(scopeKey(event.scope));
      if (slice === undefined) return;
      if (slice.state === 'waits') slice.state = 'walks';
      if (event.kind === 'page') slice.made += 1;
    }
  }
}

function plan({ slices, details }: AccountLoad, loads: readonly PlannedLoad[]): void {
  for (const load of loads) {
    if (load.detailsOf !== undefined) details.set(load.stream, load.detailsOf);
    const known = slices.get(scopeKey(load));
    if (known !== undefined && known.state !== 'waits') continue;
    // A list's own count of its details is newer than a plan without one.
    if (known !== undefined && !known.isAtLeast && load.isAtLeast) continue;
    const { requests, isAtLeast } = load;
    slices.set(scopeKey(load), { load, requests, isAtLeast, made: 0, state: 'waits' });
  }
}

function end(account: AccountLoad, outcome: SliceOutcome): void {
  const { slices } = account;
  const slice = slices.get(scopeKey(outcome));
  if (outcome.end === 'failed') account.failed.add(outcome.stream);
  if (outcome.end === 'deferred') account.deferred.add(outcome.stream);
  if (slice === undefined) return;
  slice.state = 'ended';
  if (outcome.end !== 'complete') return;
  for (const [stream, list] of account.details) {
    const details = list === outcome.stream ? slices.get(scopeKey({ ...outcome, stream })) : undefined;
    if (details?.isAtLeast !== true) continue;
    details.requests = outcome.records;
    details.isAtLeast = false;
  }
}

function fetched(scope: Scope, slice: Expected | undefined): LoadView['now'] {
  if (slice?.state !== 'walks') return undefined;
  const isCounted = slice.load.phase === 'details' && !slice.isAtLeast;
  return { scope, made: slice.made, of: isCounted ? Math.max(slice.requests, slice.made) : undefined };
}

function leftOf({ slices }: AccountLoad): number {
  const usual = usualRequests([...slices.values()]);
  let left = 0;
  for (const { state, requests, made, isAtLeast, load } of slices.values()) {
    if (state === 'ended') continue;
    // A list that is not at its end has at least one more page.
    left += isAtLeast
      ? Math.max(Math.max(requests, usual.get(load.stream) ?? 0) - made, 1)
      : Math.max(requests - made, 0);
  }
  return left;
}

/** Averages the known requests of each stream: other slices of a first load will take about as many. */
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

function accountNameOf(event: Exclude<SyncEvent, { kind: 'database' }>): string {
  if ('account' in event) return event.account;
  return 'scope' in event ? event.scope.account : event.outcome.account;
}
