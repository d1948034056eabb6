// The order in which slices get the budget, and which of them get some today. Pure.
//
// The slice that has waited longest goes first. With a load of C requests and a budget of B a day, no slice waits
// longer than ceil(C / B) + 1 days. High priority goes before that, while the rest still gets its turn within this
// time. A slice that has waited longer (too large for what the high priority leaves) goes before everything. A slice
// that was never synced waits since it was first planned. A slice that cannot be finished with what remains is not
// begun: its pages would be lost at the next run date. Smaller ones after it may still fit.
import { dayNumber } from './trust.ts';

export interface Urgent {
  readonly high: boolean;
  /** Newest run date on which it had its turn; undefined: never. */
  readonly triedRunDate: string | undefined;
  /** Oldest run date that it was planned for; undefined: never before. */
  readonly plannedRunDate: string | undefined;
  /** It began before and ran out of budget. */
  readonly ranOut: boolean;
  /** Requests of a whole walk, at least. */
  readonly whole: number;
  /** Requests to make now; 0: nothing to do, or only to publish. */
  readonly requests: number;
  /** Its full walk is due: when the last one was. */
  readonly fullSince?: string | undefined;
}

export interface DayBudget {
  readonly runDate: string;
  /** What jobs may spend on a whole day. */
  readonly wholeDay: number;
  /** What they may still spend today. */
  readonly left: number;
}

export type Fit =
  /** Fits into what remains today. */
  | 'now'
  /** Comes first on a later day. */
  | 'waits'
  /** Takes more than a whole day's requests. */
  | 'never';

export interface Urgency {
  /** Days within which every slice gets its turn. */
  readonly withinDays: number;
  /** High priority goes first today. */
  readonly highFirst: boolean;
  /** What it leaves of a whole day; a slice that takes more would never fit after it. */
  readonly restOfDay: number;
}

/** What the load of all slices, done ones included, means for the order. */
export function urgencyOf(slices: readonly Urgent[], wholeDay: number): Urgency {
  const load = sum(slices);
  const high = sum(slices.filter((slice) => slice.high));
  const withinDays = wholeDay <= 0 ? Number.POSITIVE_INFINITY : Math.ceil(load / wholeDay) + 1;
  const highFirst = high + Math.ceil((load - high) / withinDays) <= wholeDay;
  return { withinDays, highFirst, restOfDay: highFirst ? wholeDay - high : wholeDay };
}

function sum(slices: readonly Urgent[]): number {
  return slices.reduce((total, slice) => total + slice.whole, 0);
}

/** Most urgent first; equals stay in the order in which they came. */
export function byUrgency<Slice extends Urgent>(
  slices: readonly Slice[],
  urgency: Urgency,
  runDate: string,
): Slice[] {
  const today = dayNumber(runDate);
  const days = new Map<string, number>();
  const dayOf = (date: string | undefined): number => {
    if (date === undefined) return Number.NEGATIVE_INFINITY;
    const known = days.get(date) ?? dayNumber(date);
    days.set(date, known);
    return known;
  };
  const ranked = slices.map((slice) => {
    const tried = dayOf(slice.triedRunDate);
    const since = dayOf(slice.triedRunDate ?? slice.plannedRunDate ?? runDate);
    const isLong = today - since >= urgency.withinDays;
    const neverWould = slice.triedRunDate === undefined && (slice.ranOut || slice.whole > urgency.restOfDay);
    const rank = isLong || neverWould ? 0 : slice.high && urgency.highFirst ? 1 : 2;
    const waits = isLong && !neverWould ? since : tried;
    // Of equals the oldest full walk first: the tail of an archive is what nothing else sees.
    const full = slice.fullSince === undefined ? Number.POSITIVE_INFINITY : dayOf(slice.fullSince);
    return { slice, rank, waits, full };
  });
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        compare(a.waits, b.waits) ||
        Number(b.slice.high) - Number(a.slice.high) ||
        compare(a.full, b.full),
    )
    .map(({ slice }) => slice);
}

/** Subtracting would make NaN of two that were never tried. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Which slices fit, in the order given. */
export function fitInto(slices: readonly Urgent[], budget: DayBudget): Fit[] {
  let { left } = budget;
  return slices.map(({ requests }) => {
    if (requests <= left) {
      left -= requests;
      return 'now';
    }
    return requests > budget.wholeDay ? 'never' : 'waits';
  });
}
