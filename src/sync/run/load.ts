// Progress of a sync, followed by its events: requests made and left, what is fetched now, and when it ends.
// Pure but for the time that is handed in.
//
// A first load has three parts. The list of clients says how many lists there are, a list says by its end how many
// pages it has, and how many records wait for a request of their own.
import type { OpenRun } from '../../status/open-runs.ts';
import type { Scope } from '../../store/slices/slices.ts';
import {
  type AccountLoad,
  createAccountLoad,
  type FullMinute,
  type Later,
  type NowFetched,
} from './account-load.ts';
import type { SyncEvent } from './sync-options.ts';

export interface LoadView {
  readonly slices: number;
  readonly ended: number;
  readonly failed: number;
  readonly records: number;
  /** Requests that were answered, or failed. */
  readonly made: number;
  readonly left: number;
  /** More may come: a list is not at its end, or not begun for the first time. */
  readonly isAtLeast: boolean;
  readonly now: NowFetched | undefined;
  readonly walking: number;
  readonly inLastMinute: number;
  /** The limits of the accounts that work, together. */
  readonly perMinute: number;
  /** Time until what the day has room for is made. */
  readonly etaMs: number;
  readonly remainingToday: number | undefined;
  readonly later: Later | undefined;
  /** Wait until some account may make a request; undefined: one may now. */
  readonly full: FullMinute | undefined;
  /** How long the database has been waited for; undefined: it is there. */
  readonly awayMs: number | undefined;
  readonly waitsFor: OpenRun | undefined;
}

export interface Load {
  follow(event: SyncEvent): void;
  view(): LoadView;
}

export function createLoad(now: () => number): Load {
  const accounts = new Map<string, AccountLoad>();
  const accountOf = (name: string): AccountLoad => {
    const known = accounts.get(name) ?? createAccountLoad(now);
    accounts.set(name, known);
    return known;
  };
  let last: { readonly scope: Scope } | undefined;
  let waitsFor: OpenRun | undefined;
  let awaySince: Date | undefined;
  return {
    follow(event) {
      if (event.kind === 'database') {
        awaySince = event.since;
        return;
      }
      if (event.kind === 'page' || event.kind === 'begun') last = { scope: event.scope };
      if (event.kind === 'waiting') waitsFor = event.run;
      else if (event.kind !== 'request' && event.kind !== 'full') waitsFor = undefined;
      accountOf(accountNameOf(event)).follow(event);
    },
    view() {
      const all = [...accounts.values()].map((account) => account.view());
      const sum = (figure: (view: (typeof all)[number]) => number) =>
        all.reduce((total, view) => total + figure(view), 0);
      const working = all.filter((view) => view.left > 0);
      const later = all.flatMap((view) => view.later ?? []);
      const until = later.flatMap((one) => one.until ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
      const full = working.flatMap((view) => view.full ?? []).sort((a, b) => a.ms - b.ms);
      const remaining = all.flatMap((view) => view.remainingToday ?? []);
      return {
        slices: sum((view) => view.slices),
        ended: sum((view) => view.ended),
        failed: sum((view) => view.failed),
        records: sum((view) => view.records),
        made: sum((view) => view.made),
        left: sum((view) => view.left),
        isAtLeast: all.some((view) => view.isAtLeast),
        now: last === undefined ? undefined : accountOf(last.scope.account).fetched(last.scope),
        walking: sum((view) => view.walking),
        inLastMinute: sum((view) => view.inLastMinute),
        perMinute: sum((view) => view.perMinute),
        etaMs: Math.max(0, ...working.map((view) => view.etaMs)),
        remainingToday:
          remaining.length === 0 ? undefined : remaining.reduce((total, some) => total + some, 0),
        later:
          later.length === 0
            ? undefined
            : {
                requests: later.reduce((total, one) => total + one.requests, 0),
                slices: later.reduce((total, one) => total + one.slices, 0),
                until,
              },
        full: full.length < working.length ? undefined : full[0],
        awayMs: awaySince === undefined ? undefined : now() - awaySince.getTime(),
        waitsFor,
      };
    },
  };
}

function accountNameOf(event: Exclude<SyncEvent, { kind: 'database' }>): string {
  if ('account' in event) return event.account;
  return 'scope' in event ? event.scope.account : event.outcome.account;
}
