// Days of one account: the planner, the reservations and the incremental rule of src/, the ledger in memory.
// Archives grow, and old records change. No request is sent and no time is waited.
import type { AccountConfig, RunLimits } from '../../src/config/config.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { depthOf, incrementalEnd } from '../../src/store/scopes/incremental.ts';
import type { FullRefresh, WalkHistory } from '../../src/store/slices/walk-history.ts';
import { type PlannedWalk, planAccount, scopeKey } from '../../src/sync/plan/plan.ts';
import { selectScopes } from '../../src/sync/plan/selected-scopes.ts';
import { isArchive } from '../../src/sync/plan/slice-cost.ts';
import { createReservations, reservedForLater } from '../../src/sync/run/limits.ts';
import { randomOf } from '../torture/random.ts';
import { createExactLedger } from './exact-ledger.ts';
import { createWorld, type Slot, streams, type World } from './simulated-archives.ts';

interface DaysOptions {
  readonly clients: number;
  readonly days: number;
  readonly account: Pick<AccountConfig, 'perMinute' | 'perDay' | 'reservePercent'>;
  readonly limits: Pick<RunLimits, 'fullRefreshDays' | 'fullRefreshPercent'>;
  readonly firstDay: RunDate;
}

interface DayFigures {
  /** Requests that one walk of everything would take, as planned. */
  readonly load: number;
  readonly withinDays: number;
  /** Days since the last publish, every slice; a slice never published counts from the first day. */
  readonly ages: readonly number[];
  /** Days since the last full refresh, every archive of more than a page that some day has room for. */
  readonly fullAges: readonly number[];
}

type Known = { -readonly [K in keyof WalkHistory]: WalkHistory[K] };

const startMs = Date.UTC(2026, 0, 1, 3, 15, 0);
const dayMs = 86_400_000;

export function simulateDays(options: DaysOptions): DayFigures[] {
  const { clients, account, limits } = options;
  const random = randomOf(clients);
  const world = createWorld(clients, random);
  const reserve = Math.ceil((account.perDay * account.reservePercent) / 100);
  const wholeDay = account.perDay - reserve;
  const { perMinute, perDay } = account;
  const ledger = createExactLedger({ perMinute, perDay, reserve, renewsMs: 0, holdMs: 72_000 });
  const clientIds = Array.from({ length: clients }, (_, index) => String(index + 1));
  const clientsStream = streams.find((stream) => stream.name === 'clientes');
  const selected = { streams, clientsStream, clientIds: undefined };
  const history = new Map<string, Known>();
  for (const { scope } of selectScopes(selected, 'default', clientIds))
    history.set(scopeKey(scope), unknown(scope, options.firstDay));

  const figures: DayFigures[] = [];
  for (let day = 0; day < options.days; day += 1) {
    world.newDay(day);
    const runDate = addDays(options.firstDay, day);
    let nowMs = startMs + day * dayMs;
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
    /** One request: a token, an answer, the settlement. False: the day is used up. */
    const ask = (): boolean => {
      for (;;) {
        const taken = ledger.take('job', nowMs);
        if (taken.granted && taken.slotMs !== null) {
          nowMs += 60 + random() * 440;
          ledger.settle(taken, nowMs);
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
          walkOne(world, walk, known, { day, runDate, ask });
          reservations.end(0);
          return false;
        });
      }
    }
    const ages = [...history.values()].map((one) => ageOf(one.lastRunDate, runDate, day));
    const load = plan.walks.reduce((sum, walk) => sum + walk.requests, 0);
    const tails = new Set(plan.walks.flatMap((walk) => (walk.tailUnseen ? scopeKey(walk.scope) : [])));
    const fullAges = [...history].flatMap(
      ([
        key,
        {
          fullRefreshes: [full],
        },
      ]) => (full === undefined || full.pages < 2 || tails.has(key) ? [] : ageOf(full.runDate, runDate, day)),
    );
    figures.push({ load, withinDays: plan.withinDays, ages, fullAges });
  }
  return figures;
}

const isDetailed = new Set(streams.flatMap(({ source }) => (source.kind === 'details' ? source.of : [])));

function walkOne(
  world: World,
  walk: PlannedWalk,
  known: Known,
  context: { day: number; runDate: string; ask: () => boolean },
): void {
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
    return;
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
  world.publish(slot, day, end);
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
