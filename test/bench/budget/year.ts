// A year of one account: the planner, the reservations and the incremental rule of src/, the ledger in memory, and a
// server that counts by fixed minutes and days. No request is sent and no time is waited.
import type { AccountConfig, RunLimits } from '../../../src/config/config.ts';
import { addDays, type RunDate } from '../../../src/core/run-date.ts';
import { depthOf, incrementalEnd } from '../../../src/store/scopes/incremental.ts';
import type { FullRefresh, WalkHistory } from '../../../src/store/slices/walk-history.ts';
import { type PlannedWalk, planAccount, scopeKey } from '../../../src/sync/plan/plan.ts';
import { selectScopes } from '../../../src/sync/plan/selected-scopes.ts';
import { isArchive } from '../../../src/sync/plan/slice-cost.ts';
import { createReservations, reservedForLater } from '../../../src/sync/run/limits.ts';
import { createExactLedger } from '../../support/exact-ledger.ts';
import { randomOf } from '../../torture/random.ts';
import { createWorld, type Slot, streams, type World } from './world.ts';

interface YearOptions {
  readonly clients: number;
  readonly days: number;
  readonly account: Pick<AccountConfig, 'perMinute' | 'perDay' | 'reservePercent'>;
  readonly limits: Pick<RunLimits, 'fullRefreshDays' | 'fullRefreshPercent'>;
  readonly firstDay: RunDate;
}

interface DayFigures {
  readonly requests: number;
  /** Requests that one walk of everything would take, as planned. */
  readonly load: number;
  readonly withinDays: number;
  /** 429s of the modelled server. */
  readonly refused: number;
  /** Days since the last publish, every slice; a slice never published counts from the first day. */
  readonly ages: readonly number[];
  /** Days since the last full refresh, every archive of more than a page that some day has room for. */
  readonly fullAges: readonly number[];
  /** Archives that no day has room to walk in full beside the streams of high priority. */
  readonly tailsUnseen: number;
  /** Pages of walks that were not finished: lost with the run date. */
  readonly wasted: number;
}

interface Year {
  readonly days: readonly DayFigures[];
  /** By how many days each change was seen late. */
  readonly late: readonly number[];
  /** Changes beyond the first pages that were not seen by the end. */
  readonly unseen: number;
  /** Slices of high priority that were not published on a day although they fit alone, after the first load. */
  readonly highMissed: number;
}

type Known = { -readonly [K in keyof WalkHistory]: WalkHistory[K] };

const startMs = Date.UTC(2026, 0, 1, 3, 15, 0);
const dayMs = 86_400_000;

export function simulateYear(options: YearOptions): Year {
  const { clients, account, limits } = options;
  const random = randomOf(clients);
  const world = createWorld(clients, random);
  const reserve = Math.ceil((account.perDay * account.reservePercent) / 100);
  const wholeDay = account.perDay - reserve;
  const { perMinute, perDay } = account;
  const ledger = createExactLedger({ perMinute, perDay, reserve, renewsMs: 0, holdMs: 72_000 });
  const server = createCounter(perMinute, perDay);
  const clientIds = Array.from({ length: clients }, (_, index) => String(index + 1));
  const clientsStream = streams.find((stream) => stream.name === 'clientes');
  const selected = { streams, clientsStream, clientIds: undefined };
  const history = new Map<string, Known>();
  for (const { scope } of selectScopes(selected, 'default', clientIds))
    history.set(scopeKey(scope), unknown(scope, options.firstDay));

  const figures: DayFigures[] = [];
  const late: number[] = [];
  let highMissed = 0;
  for (let day = 0; day < options.days; day += 1) {
    world.newDay(day);
    const runDate = addDays(options.firstDay, day);
    let nowMs = startMs + day * dayMs;
    const refusedBefore = server.refused();
    const plan = planAccount({
      account: 'default',
      selected,
      clientIds,
      history: [...history.values()],
      states: [],
      exactRequests: new Map(),
      again: false,
      mode: 'auto',
      limits,
      budget: { runDate, wholeDay, left: ledger.left(nowMs) },
    });
    let requests = 0;
    let wasted = 0;
    /** One request: a token, the server, the settlement. False: the day is used up. */
    const ask = (): boolean => {
      for (;;) {
        const taken = ledger.take('job', nowMs);
        if (taken.granted && taken.slotMs !== null) {
          const latencyMs = 60 + random() * 440;
          server.arrive(nowMs + latencyMs / 2);
          nowMs += latencyMs;
          ledger.settle(taken, nowMs);
          requests += 1;
          return true;
        }
        if (taken.reason === 'day') return false;
        nowMs += taken.retryInMs;
      }
    };
    // By phase, then by urgency, as a run does; and once more for what found no room the first time.
    const details = plan.walks.filter((walk) => walk.phase === 'details');
    const later = details.reduce((sum, walk) => sum + (walk.fit === 'now' ? walk.requests : 0), 0);
    for (const phase of ['clients', 'records', 'details'] as const) {
      const reserved = phase === 'records' ? reservedForLater(later) : 0;
      const reservations = createReservations(() => ledger.left(nowMs), reserved);
      let waiting = plan.walks.filter((walk) => walk.phase === phase && walk.fit !== 'never');
      for (let round = 1; round <= 2; round += 1) {
        waiting = waiting.filter((walk) => {
          const known = history.get(scopeKey(walk.scope));
          if (known === undefined || !reservations.begin(0, walk.requests)) return true;
          const end = walkOne(world, walk, known, { day, runDate, ask });
          reservations.end(0);
          if (end.kind === 'unfinished') wasted += end.pages;
          else late.push(...end.late);
          return false;
        });
      }
    }
    const ages = [...history.values()].map((one) => ageOf(one.lastRunDate, runDate, day));
    const highFits = plan.highFirst && day > plan.withinDays;
    highMissed += highFits
      ? plan.walks.filter(
          (walk) =>
            walk.stream.priority === 'high' && history.get(scopeKey(walk.scope))?.lastRunDate !== runDate,
        ).length
      : 0;
    const load = plan.walks.reduce((sum, walk) => sum + walk.requests, 0);
    const refused = server.refused() - refusedBefore;
    const tails = new Set(plan.walks.flatMap((walk) => (walk.tailUnseen ? scopeKey(walk.scope) : [])));
    const fullAges = [...history].flatMap(
      ([
        key,
        {
          fullRefreshes: [full],
        },
      ]) => (full === undefined || full.pages < 2 || tails.has(key) ? [] : ageOf(full.runDate, runDate, day)),
    );
    figures.push({
      requests,
      load,
      withinDays: plan.withinDays,
      refused,
      ages,
      fullAges,
      tailsUnseen: tails.size,
      wasted,
    });
  }
  return { days: figures, late, unseen: world.unseen(), highMissed };
}

const isDetailed = new Set(streams.flatMap(({ source }) => (source.kind === 'details' ? source.of : [])));

type End =
  | { readonly kind: 'published'; readonly late: readonly number[] }
  | { readonly kind: 'unfinished'; readonly pages: number };

function walkOne(
  world: World,
  walk: PlannedWalk,
  known: Known,
  context: { day: number; runDate: string; ask: () => boolean },
): End {
  const { day, runDate } = context;
  const slot: Slot = world.slot(walk.stream, walk.scope.clientId);
  const pages = world.pages(slot, day);
  const rule = { leastPages: walk.leastPages };
  const archive = isArchive(walk.stream);
  const changes = archive ? world.changes(slot, day) : new Map<number, number>();
  const end = walk.walk === 'incremental' ? incrementalEnd(rule, changes, pages) : pages;
  for (let page = 1; page <= end; page += 1) {
    if (context.ask()) continue;
    known.unfinishedPages = page - 1;
    return { kind: 'unfinished', pages: page - 1 };
  }
  const records = world.records(slot, day);
  if (archive && end === pages) {
    const compared = known.lastRunDate !== undefined;
    const found = compared ? depthOf(rule, changes, { pages, vanished: 0 }) : { depth: null, late: 0 };
    const full: FullRefresh = { runDate, pages, records, keyConflicts: 0, ...found };
    known.fullRefreshes = [full, ...known.fullRefreshes.slice(0, 11)];
  }
  if (isDetailed.has(walk.stream.name)) {
    const fresh = records - slot.seen;
    known.changes = [{ runDate, fresh }, ...(known.changes ?? [])].slice(0, 100);
  }
  known.lastRunDate = runDate;
  known.triedRunDate = runDate;
  known.pages = end;
  known.records = records;
  known.unfinishedPages = 0;
  return { kind: 'published', late: world.publish(slot, day, end) };
}

function unknown(
  scope: { stream: string; account: string; clientId: string },
  plannedRunDate: string,
): Known {
  const nothing = { lastRunDate: undefined, triedRunDate: undefined, pages: 0, records: 0 };
  return { ...scope, ...nothing, plannedRunDate, unfinishedPages: 0, fullRefreshes: [] };
}

function ageOf(lastRunDate: string | undefined, runDate: string, day: number): number {
  if (lastRunDate === undefined) return day + 1;
  return Math.round((Date.parse(runDate) - Date.parse(lastRunDate)) / dayMs);
}

/** The server: fixed minutes and days by the clock. */
function createCounter(perMinute: number, perDay: number) {
  let minute = -1;
  let day = -1;
  let inMinute = 0;
  let inDay = 0;
  let refused = 0;
  return {
    refused: () => refused,
    arrive: (atMs: number): boolean => {
      if (Math.floor(atMs / 60_000) !== minute) {
        minute = Math.floor(atMs / 60_000);
        inMinute = 0;
      }
      if (Math.floor(atMs / dayMs) !== day) {
        day = Math.floor(atMs / dayMs);
        inDay = 0;
      }
      if (inMinute >= perMinute || inDay >= perDay) {
        refused += 1;
        return false;
      }
      inMinute += 1;
      inDay += 1;
      return true;
    },
  };
}
