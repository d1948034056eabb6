// The cost of one slice, in full or incrementally, and the reason why it may be walked that way or not. Pure.

import { hashText } from '../../core/hash-text.ts';
import { dayMs } from '../../core/run-date.ts';
import type { FullRefresh, SliceState, WalkHistory } from '../../store/slices/walk-history.ts';
import type { Stream } from '../../streams/stream.ts';
import { loopsADay } from '../../validation/rules.ts';
import type { SelectedScope } from './selected-scopes.ts';

// Says whether an archive may be refreshed incrementally, as learned from how deep its recent full refreshes found
// changes. Each change that an incremental refresh would have missed doubles the number of clean full refreshes needed.
interface Trust {
  /** Recent full refreshes in a row that an incremental refresh would have matched. */
  readonly clean: number;
  readonly needed: number;
  /** Recent full refreshes with changes that an incremental refresh would have missed. */
  readonly surprises: number;
  /** Minimum pages of an incremental refresh: the deepest change of the clean walks and a margin. */
  readonly leastPages: number;
}

/** Number of full refreshes that are looked at; an older surprise is forgiven. */
const memory = 8;
const leastClean = 2;
const mostClean = 6;

/** @param fullRefreshes newest first */
export function trustOf(fullRefreshes: readonly FullRefresh[]): Trust {
  const recent = fullRefreshes.slice(0, memory);
  const surprises = recent.filter((walk) => walk.late > 0).length;
  const firstUnclean = recent.findIndex((walk) => !isClean(walk));
  const clean = firstUnclean === -1 ? recent : recent.slice(0, firstUnclean);
  const deepest = Math.max(0, ...clean.map((walk) => walk.depth ?? 0));
  return {
    clean: clean.length,
    needed: Math.min(leastClean * 2 ** surprises, mostClean),
    surprises,
    leastPages: deepest + marginOf(deepest),
  };
}

export function isTrusted(trust: Trust): boolean {
  return trust.clean >= trust.needed;
}

/** One page, and a quarter of the depth. */
function marginOf(depth: number): number {
  return 1 + Math.floor(depth / 4);
}

/** A repeated or missing key leaves open which stored record is which. */
function isClean(walk: FullRefresh): boolean {
  return walk.depth !== null && walk.late === 0 && walk.keyConflicts === 0;
}

/** True once in `everyDays`. Each scope has its own day, so that the full refreshes of many do not coincide. */
export function isFullRefreshDue(
  scope: { readonly stream: string; readonly clientId: string },
  dates: { readonly lastFull: string; readonly runDate: string },
  everyDays: number,
): boolean {
  const phase = hashText(`${scope.stream} ${scope.clientId}`) % everyDays;
  const round = (date: string) => Math.floor((dayNumber(date) + phase) / everyDays);
  return round(dates.runDate) > round(dates.lastFull);
}

/** Whole days since 1970. */
export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / dayMs);
}

/** The reason why a slice cannot be refreshed incrementally; `eligible` if it can. */
export type IncrementalVerdict =
  /** A state, or one record a request: neither has a tail. */
  | 'no archive'
  | 'full demanded'
  /** The publish replaces all that there is for this run date. */
  | 'published today'
  | 'never refreshed in full'
  /** Too few full refreshes found all their changes on the first pages. */
  | 'not trusted'
  | 'full refresh due'
  | 'saves nothing'
  | 'eligible';

export interface SliceCost extends SelectedScope {
  readonly lastRunDate: string | undefined;
  /** Newest run date on which an attempt ended by itself; a slice that always fails had its turn, too. */
  readonly triedRunDate: string | undefined;
  readonly plannedRunDate: string | undefined;
  readonly lastFullDate: string | undefined;
  /** Nothing of it was ever published, so its requests are unknown and `full` is a minimum. */
  readonly firstWalk: boolean;
  /** Complete or unavailable on this run date, and not asked again. One that had data is still asked for. */
  readonly done: boolean;
  /**
   * `endless`: its pages had no end twice, so it is not asked for on this run date. A date: so many records were
   * missing that a walk before then would prove nothing.
   */
  readonly rests: 'endless' | Date | undefined;
  readonly walking: boolean;
  readonly storedPages: number;
  readonly full: number;
  /** Requests of an incremental refresh; undefined if only a full one is allowed. */
  readonly incremental: number | undefined;
  readonly fullPages: number;
  readonly verdict: IncrementalVerdict;
  readonly trust: Trust | undefined;
  /** True if its full refresh fits into no day, so that nobody looks at its tail. */
  readonly tailUnseen: boolean;
  readonly ranOut: boolean;
  /** Page limit of a walk whose number of pages no full refresh has shown yet. */
  readonly firstWalkLimit: number;
  /** The last walk took more than a whole day; a short one shows whether the list has an end now. */
  readonly isProbe: boolean;
}

interface CostFacts {
  readonly history: WalkHistory | undefined;
  readonly detailed: WalkHistory | undefined;
  readonly state: SliceState | undefined;
  readonly exactRequests: number | undefined;
  readonly runDate: string;
  readonly again: boolean;
  readonly againSince: Date | undefined;
  readonly acceptVanished: ReadonlySet<string> | undefined;
  readonly fullDemanded: boolean;
  readonly fullRefreshDays: number;
  /** Requests of the largest full refresh that fits into a day next to the streams of high priority. */
  readonly largestFull: number;
  readonly wholeDay: number;
}

export function costOf(selected: SelectedScope, facts: CostFacts): SliceCost {
  const { history, state, againSince } = facts;
  const isNew = againSince !== undefined && state !== undefined && state.updatedAt >= againSince;
  const again = facts.again && !isNew;
  const { scope, stream, phase } = selected;
  const storedPages = again ? 0 : (state?.storedPages ?? 0);
  const unfinished = history?.unfinishedPages ?? 0;
  const expected = facts.exactRequests ?? expectedPages(facts, stream);
  // An unfinished attempt shows a minimum of pages. A tenth is added, so that the next attempt does not start with as
  // little budget again.
  const least = unfinished + 1 + Math.floor(unfinished / 10);
  // More pages than fit into a day may have been an endless list: a short walk shows whether it ends now.
  const isProbe = unfinished > 0 && least > facts.wholeDay && (expected ?? 0) <= facts.wholeDay;
  const pages = unfinished > 0 && !isProbe ? Math.max(expected ?? 0, least) : expected;
  const trust = isArchive(stream) ? trustOf(history?.fullRefreshes ?? []) : undefined;
  const verdict = verdictOf(selected, trust, pages ?? 0, facts);
  const left = (wanted: number) => remaining(stream, state, storedPages, wanted);
  const rests = again ? undefined : restOf(selected, state, facts.acceptVanished);
  // One literal, because spreading is slow with tens of thousands of slices.
  return {
    scope,
    stream,
    phase,
    lastRunDate: history?.lastRunDate,
    triedRunDate: history?.triedRunDate,
    plannedRunDate: history?.plannedRunDate,
    lastFullDate: history?.fullRefreshes[0]?.runDate,
    firstWalk: isFirstWalk(facts, stream, expected),
    done: !again && (rests !== undefined || isDone(state, history)),
    rests,
    walking: state?.claimed === true,
    storedPages,
    full: left(pages ?? 1),
    incremental: verdict === 'eligible' && trust !== undefined ? left(trust.leastPages) : undefined,
    fullPages: pages ?? 0,
    verdict,
    trust,
    tailUnseen: verdict === 'eligible' && (pages ?? 0) > facts.largestFull,
    ranOut: unfinished > 0,
    isProbe,
    firstWalkLimit: isProbe ? probePages : Math.max(Math.floor(facts.wholeDay / 2), probePages),
  };
}

function restOf(
  { stream, phase }: SelectedScope,
  state: SliceState | undefined,
  acceptVanished: ReadonlySet<string> | undefined,
): SliceCost['rests'] {
  const isEndless = state?.failedRule === 'loop' || state?.failedRule === 'page_limit';
  if (isEndless && state.failedValidations >= loopsADay) return 'endless';
  if (phase === 'clients' || acceptVanished?.has(stream.name)) return undefined;
  return state?.looksAgainAt ?? undefined;
}

function isDone(state: SliceState | undefined, history: WalkHistory | undefined): boolean {
  if (state?.status === 'complete') return state.walk !== 'left';
  return state?.status === 'unavailable' && history?.lastRunDate === undefined;
}

/** Pages of a walk that only checks whether the list has an end. */
const probePages = 100;

/** True for streams whose walks can end before the last page. */
export function isArchive(stream: Stream): boolean {
  return stream.shape === 'archive' && stream.source.kind === 'walk' && stream.list.kind !== 'none';
}

/**
 * Pages to expect; undefined if unknown. An archive has grown since its last full refresh, and its published records
 * tell by how much. Details take one request for each new or changed record.
 */
function expectedPages({ history, detailed, runDate }: CostFacts, stream: Stream): number | undefined {
  if (stream.source.kind === 'details' && detailed?.lastRunDate !== undefined) {
    return expectedDetails(history?.lastRunDate, detailed, detailed.lastRunDate, runDate);
  }
  if (history?.lastRunDate === undefined) return undefined;
  const [full] = history.fullRefreshes;
  if (full === undefined || full.pages === 0) return Math.max(history.pages, 1);
  const perPage = Math.max(Math.ceil(full.records / full.pages), 1);
  return full.pages + Math.max(Math.floor((history.records - full.records) / perPage), 0);
}

/** Only for details can the size of a first walk be known: by their records. */
function isFirstWalk(
  { history, exactRequests }: CostFacts,
  stream: Stream,
  expected: number | undefined,
): boolean {
  if (history?.lastRunDate !== undefined || exactRequests !== undefined) return false;
  return stream.source.kind === 'walk' || expected === undefined;
}

/** Days over which the records of a first walk are spread, when there was no later walk. */
const daysOfFirstWalk = 30;
const recentWalks = 7;

/** Estimates details: records published since the last ones, plus those that this run date will add. */
function expectedDetails(
  since: string | undefined,
  detailed: WalkHistory,
  newest: string,
  runDate: string,
): number {
  const changes = detailed.changes ?? [];
  // The first walk brought everything there was, so it says nothing about a day.
  const later = changes.slice(0, -1).slice(0, recentWalks);
  const oldest = changes[later.length]?.runDate ?? newest;
  const days = Math.max(dayNumber(newest) - dayNumber(oldest), 1);
  const aDay =
    later.length === 0
      ? detailed.records / daysOfFirstWalk
      : later.reduce((sum, { fresh }) => sum + fresh, 0) / days;
  const coming = Math.ceil(aDay * Math.max(dayNumber(runDate) - dayNumber(newest), 0));
  if (since === undefined) return detailed.records + coming;
  const waiting = changes.reduce((sum, { runDate: date, fresh }) => sum + (date > since ? fresh : 0), 0);
  return waiting + coming;
}

function verdictOf(
  { scope }: SelectedScope,
  trust: Trust | undefined,
  fullPages: number,
  facts: CostFacts,
): IncrementalVerdict {
  const { history, runDate } = facts;
  if (trust === undefined) return 'no archive';
  // A full refresh of more than a whole day never finishes: its first pages are better than nothing.
  if (facts.fullDemanded && fullPages <= facts.wholeDay) return 'full demanded';
  const lastFull = history?.fullRefreshes[0]?.runDate;
  if (history?.lastRunDate === undefined || lastFull === undefined) return 'never refreshed in full';
  if (history.lastRunDate >= runDate) return 'published today';
  if (!isTrusted(trust)) return 'not trusted';
  // The streams that are walked daily may leave it no room.
  const isPossible = fullPages <= facts.largestFull;
  if (isPossible && isFullRefreshDue(scope, { lastFull, runDate }, facts.fullRefreshDays))
    return 'full refresh due';
  return trust.leastPages < fullPages ? 'eligible' : 'saves nothing';
}

function remaining(
  stream: Stream,
  state: SliceState | undefined,
  storedPages: number,
  pages: number,
): number {
  // Stored pages of details are no chain: each is one record, and none is the last.
  const single = stream.source.kind !== 'walk';
  if (storedPages > 0 && state?.atEnd === true && !single) return 0;
  // A chain without its end has at least one more page; single records may all be there.
  return Math.max(pages - storedPages, single ? 0 : 1);
}
