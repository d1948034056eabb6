// The dates that a choice means, and those beside them.
import type { Period } from '../charts/chart.ts';
import { addDays, daysIn, yearBefore } from './dates.ts';
import type { Comparison, PageState } from './page-state.ts';

/** @param dates of which there is data: the last days count back from their end */
export function chosenPeriod(span: PageState['span'], dates: Period): Period {
  if (typeof span === 'object') return span;
  if (span === 'all') return dates;
  return { from: addDays(dates.to, 1 - Number(span)), to: dates.to };
}

/** As long as the period: right before it, or a year earlier. Undefined: none is chosen. */
export function periodBeside(period: Period, compare: Comparison): Period | undefined {
  if (compare === 'none') return undefined;
  if (compare === 'year') return { from: yearBefore(period.from), to: yearBefore(period.to) };
  return { from: addDays(period.from, -daysIn(period)), to: addDays(period.from, -1) };
}

/** Over how many days a change goes. */
export function changeDays(period: Period, compare: Comparison): number {
  return compare === 'year' ? 365 : daysIn(period);
}

/** From the first date of both to the last. */
export function spanOf(period: Period, beside: Period | undefined): Period {
  if (beside === undefined) return period;
  return {
    from: beside.from < period.from ? beside.from : period.from,
    to: beside.to > period.to ? beside.to : period.to,
  };
}
