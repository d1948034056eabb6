// What a plan is made of in tests: walks of yesterday, and a day of 5,000 requests of which 1,000 are left.
import type { SliceState, WalkHistory } from '../../src/store/slices/walk-history.ts';
import { define } from '../../src/streams/define.ts';
import type { PlanInput, PlannedWalk } from '../../src/sync/plan/plan.ts';

const walked = { lastRunDate: '2026-07-14', triedRunDate: '2026-07-14', plannedRunDate: '2026-07-01' };

export function historyOf(stream: string, pages: number): WalkHistory {
  const size = { pages, records: pages, unfinishedPages: 0, fullRefreshes: [] };
  return { stream, account: 'a', clientId: '', ...walked, ...size };
}

/** An archive of two clean full refreshes, the newest on a date: two pages are enough to see its changes. */
export function archiveOf(stream: string, pages: number, lastFull: string): WalkHistory {
  const clean = { pages, records: pages * 200, depth: 1, late: 0, keyConflicts: 0 };
  const fullRefreshes = [lastFull, '2026-05-01'].map((runDate) => ({ runDate, ...clean }));
  return { ...historyOf(stream, pages), records: clean.records, fullRefreshes };
}

export function stateOf(stream: string, more: Partial<SliceState>): SliceState {
  const base = { stream, account: 'a', clientId: '', status: 'planned', claimed: false } as const;
  const walk = { walk: 'full', updatedAt: new Date(0), storedPages: 0, atEnd: false } as const;
  return { ...base, ...walk, failedRule: null, failedValidations: 0, looksAgainAt: null, ...more };
}

export function planInput({
  streams,
  ...more
}: Partial<PlanInput> & Pick<PlanInput['selected'], 'streams'>): PlanInput {
  return {
    account: 'a',
    selected: { streams, clientsStream: undefined, clientIds: undefined },
    clientIds: [],
    history: [],
    states: [],
    exactRequests: new Map(),
    again: false,
    mode: 'auto',
    limits: { fullRefreshDays: 7, fullRefreshPercent: 100 },
    budget: { runDate: '2026-07-15', wholeDay: 5_000, left: 1_000 },
    ...more,
  };
}

export interface WalkGiven extends Partial<Omit<PlannedWalk, 'stream' | 'scope'>> {
  readonly stream: string;
  readonly clientId?: string;
}

/** A full refresh of 10 requests that fits today, but for what is given. */
export function plannedWalk({ stream: name, clientId = '', ...more }: WalkGiven): PlannedWalk {
  return {
    scope: { stream: name, account: 'a', clientId },
    stream: define({ name, route: name, list: 'x', shape: 'archive', description: '' }),
    phase: 'records',
    ...walked,
    lastFullDate: undefined,
    firstWalk: false,
    rests: undefined,
    firstWalkLimit: 2_000,
    isProbe: false,
    done: false,
    walking: false,
    storedPages: 0,
    full: 10,
    incremental: undefined,
    fullPages: 10,
    verdict: 'eligible',
    trust: undefined,
    tailUnseen: false,
    ranOut: false,
    walk: 'full',
    requests: 10,
    leastPages: 1,
    fit: 'now',
    ...more,
  };
}
