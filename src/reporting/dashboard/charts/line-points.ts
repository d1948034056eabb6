// A line over time with its gaps: no line crosses dates that are missing.
import { dayOf, usualStepDays } from './dates.ts';

export interface DatedValue {
  readonly date: string;
  readonly value: number | null;
  /** What a pointer reads beside the value. */
  readonly detail?: string;
}

export interface LinePoint {
  readonly value: [date: string, value: number | null];
  readonly name: string;
  readonly symbol: string;
}

/** More points than these have no circles, unless they stand alone. */
const mostCircles = 60;

/** @param values in the order of their dates, one a date */
export function linePoints(values: readonly DatedValue[]): LinePoint[] {
  const known = values.filter(({ value, date }) => value !== null && !Number.isNaN(dayOf(date)));
  const dates = known.map(({ date }) => date);
  const mostDays = usualStepDays(dates) * 1.5;
  const isGap = (place: number) => {
    const [from, to] = [dates[place], dates[place + 1]];
    return from === undefined || to === undefined || dayOf(to) - dayOf(from) > mostDays;
  };
  return known.flatMap(({ date, value, detail }, place) => {
    const isAlone = isGap(place - 1) && isGap(place);
    const symbol = known.length <= mostCircles || isAlone ? 'circle' : 'none';
    const point: LinePoint = { value: [date, value], name: detail ?? '', symbol };
    const gap: LinePoint = { value: [date, null], name: '', symbol: 'none' };
    return isGap(place) && place < known.length - 1 ? [point, gap] : [point];
  });
}
