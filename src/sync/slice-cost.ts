// What one slice would cost, walked in full or from the head, and why it may be walked so or not. Pure.
import type { Stream } from '../streams/stream.ts';
import type { SliceState } from '../warehouse/slice-states.ts';
import type { WalkHistory } from '../warehouse/walk-history.ts';
import type { SelectedScope } from './selected-scopes.ts';
import { isFullWalkDue, isTrusted, type Trust, trustOf } from './trust.ts';

/** Why a slice cannot be walked from the head; `eligible`: it can. */
export type HeadVerdict =
  /** A state, or one record a request: there is no tail. */
  | 'no archive'
  | 'full demanded'
  /** What is published for this run date is replaced, all of it. */
  | 'published today'
  | 'never walked'
  /** Too few full walks whose changes were all near the head. */
  | 'not trusted'
  | 'full walk due'
  | 'saves nothing'
  | 'eligible';

export interface SliceCost extends SelectedScope {
  /** Newest run date that is published; undefined: none. */
  readonly lastRunDate: string | undefined;
  /** Newest run date on which an attempt ended by itself; a slice that always fails has had its turn too. */
  readonly triedRunDate: string | undefined;
  readonly lastFullDate: string | undefined;
  /** Nothing of it was ever published: how many requests it takes is not known, `full` is the least. */
  readonly firstWalk: boolean;
  /** Complete or unavailable on this run date, and not wanted again. */
  readonly done: boolean;
  /** A living run walks it. */
  readonly walking: boolean;
  /** Pages of an unfinished walk of this run date. */
  readonly storedPages: number;
  /** Requests left to make for a full walk. */
  readonly full: number;
  /** The same from the head; undefined: not from the head. */
  readonly head: number | undefined;
  /** Pages of a full walk, stored ones included; 0: not known. */
  readonly fullPages: number;
  readonly verdict: HeadVerdict;
  readonly trust: Trust | undefined;
  /** An attempt before this run date ran out of budget on the way. */
  readonly ranOut: boolean;
}

export interface CostFacts {
  readonly history: WalkHistory | undefined;
  readonly state: SliceState | undefined;
  /** Requests of a stream that asks once for each configured value. */
  readonly exactRequests: number | undefined;
  readonly runDate: string;
  readonly again: boolean;
  readonly fullDemanded: boolean;
  readonly fullWalkDays: number;
  /** What jobs may spend on a whole day. */
  readonly wholeDay: number;
}

export function costOf(selected: SelectedScope, facts: CostFacts): SliceCost {
  const { history, state, again } = facts;
  const storedPages = again ? 0 : (state?.storedPages ?? 0);
  const pages = facts.exactRequests ?? expectedPages(history);
  const trust = isArchive(selected.stream) ? trustOf(history?.fullWalks ?? []) : undefined;
  const left = (least: number) => remaining(selected.stream, state, storedPages, least);
  const cost = {
    ...selected,
    lastRunDate: history?.lastRunDate,
    triedRunDate: history?.triedRunDate,
    lastFullDate: history?.fullWalks[0]?.runDate,
    firstWalk: facts.exactRequests === undefined && history?.lastRunDate === undefined,
    done: !again && (state?.status === 'complete' || state?.status === 'unavailable'),
    walking: state?.claimed === true,
    storedPages,
    fullPages: pages ?? 0,
    full: left(Math.max(pages ?? 1, (history?.unfinishedPages ?? 0) + 1)),
    trust,
    ranOut: (history?.unfinishedPages ?? 0) > 0,
  };
  const verdict = verdictOf(cost, trust, history, facts);
  const head = verdict === 'eligible' && trust !== undefined ? left(trust.leastPages) : undefined;
  return { ...cost, verdict, head };
}

/** Streams whose walks can end before the last page. */
export function isArchive(stream: Stream): boolean {
  return stream.shape === 'archive' && stream.source.kind === 'walk' && stream.list.kind !== 'none';
}

/** An archive has grown since its last full walk by what its records tell. Undefined: never published. */
function expectedPages(history: WalkHistory | undefined): number | undefined {
  if (history?.lastRunDate === undefined) return undefined;
  const [full] = history.fullWalks;
  if (full === undefined || full.pages === 0) return Math.max(history.pages, 1);
  const perPage = Math.max(Math.ceil(full.records / full.pages), 1);
  return full.pages + Math.max(Math.floor((history.records - full.records) / perPage), 0);
}

function verdictOf(
  cost: Omit<SliceCost, 'verdict' | 'head'>,
  trust: Trust | undefined,
  history: WalkHistory | undefined,
  facts: CostFacts,
): HeadVerdict {
  const lastFull = cost.lastFullDate;
  if (trust === undefined) return 'no archive';
  if (facts.fullDemanded) return 'full demanded';
  if (history?.lastRunDate === undefined || lastFull === undefined) return 'never walked';
  if (history.lastRunDate >= facts.runDate) return 'published today';
  if (!isTrusted(trust)) return 'not trusted';
  // One that takes more than a day can never be done: better its head than nothing.
  const isPossible = cost.fullPages <= facts.wholeDay;
  if (isPossible && isFullWalkDue(cost.scope, { lastFull, runDate: facts.runDate }, facts.fullWalkDays))
    return 'full walk due';
  return trust.leastPages < cost.fullPages ? 'eligible' : 'saves nothing';
}

function remaining(
  stream: Stream,
  state: SliceState | undefined,
  storedPages: number,
  pages: number,
): number {
  // Stored pages of these are no chain: each is one record, and none is the last.
  const single = stream.source.kind !== 'walk';
  if (storedPages > 0 && state?.atEnd === true && !single) return 0;
  // A chain that is not at its end has at least one more page; single records may all be there.
  return Math.max(pages - storedPages, single && storedPages > 0 ? 0 : 1);
}
