// Axes that fit the data: round steps within the possible values, and days at true distances.
import type { Language, Period } from './chart.ts';
import type { ColumnKind } from './columns.ts';
import { dateOf, dayOf } from './dates.ts';
import { formatNumber, formatTick } from './format.ts';

interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

function boundsOf(kind: ColumnKind): readonly [number, number] {
  if (kind === 'rate') return [0, 1];
  if (kind === 'score') return [0, 100];
  return kind === 'points' || kind === 'rate_change' ? [-Infinity, Infinity] : [0, Infinity];
}

/** @param fromZero for bars, whose length is the value */
export function valueAxis(values: readonly number[], kind: ColumnKind, most: number, fromZero = false): Axis {
  const [least, greatest] = boundsOf(kind);
  const low = values.reduce((one, other) => Math.min(one, other), fromZero ? 0 : Infinity);
  const high = values.reduce((one, other) => Math.max(one, other), fromZero ? 0 : -Infinity);
  const [from, to] =
    low > high
      ? [0, 1]
      : low === high
        ? [low - Math.abs(low) / 10 - 0.01, high + Math.abs(high) / 10 + 0.01]
        : [low, high];
  const step = roundStep((to - from) / most);
  const min = Math.max(Math.floor(from / step + 1e-9) * step, least);
  const max = Math.min(Math.ceil(to / step - 1e-9) * step, greatest);
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  return { min, max, ticks: Array.from({ length: count }, (_, place) => (first + place) * step) };
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5, 10].find((one) => one * power >= step - 1e-12) ?? 10);
}

export function tickText(value: number, kind: ColumnKind, language: Language): string {
  return kind === 'rate' || kind === 'rate_change'
    ? `${formatNumber(value * 100, language, 1)} %`
    : formatNumber(value, language, 2);
}

const daySteps = [1, 2, 7, 14];
const monthSteps = [1, 2, 3, 6, 12];

/** Returns dates to write below an axis: counted back from the newest by days, or first days of months. */
export function dateTicks(
  { from, to }: Period,
  most: number,
  language: Language,
): { date: string; text: string }[] {
  const [first, last] = [dayOf(from), dayOf(to)];
  const days = daySteps.find((step) => (last - first) / step < most);
  const found =
    days !== undefined
      ? Array.from({ length: Math.floor((last - first) / days) + 1 }, (_, place) => last - place * days)
      : firstDays(from, to, monthSteps.find((step) => (last - first) / 30.4 / step < most) ?? 24);
  return found.map(dateOf).map((date) => ({ date, text: formatTick(date, { from, to }, language) }));
}

function firstDays(from: string, to: string, step: number): number[] {
  const [year = 0, month = 1] = from.split('-').map(Number);
  const days: number[] = [];
  for (let place = Math.ceil((month - 1) / step) * step; ; place += step) {
    const day = Date.UTC(year, place, 1) / 86_400_000;
    if (day > dayOf(to)) return days;
    if (day >= dayOf(from)) days.push(day);
  }
}
