// Columns from zero, one per period, with the amount above each. A period that goes on is dashed.

import { inLanguage } from '../../../core/api-words.ts';
import { valueAxis } from './axes.ts';
import type { RevenuePeriod } from './business.ts';
import type { Language } from './chart.ts';
import { addDays, dayOf } from './dates.ts';
import { round, textAt } from './draw-trend.ts';
import { formatAmount, formatNumber, formatTick } from './format.ts';
import { h, type Picture } from './tree.ts';

const [heightPx, mostColumns] = [160, 12];
/** Share of its place that a column's bar fills. */
const widthPart = 0.6;

/** Undefined if no period has an amount. */
export function drawColumns(
  periods: readonly RevenuePeriod[],
  language: Language,
  label: string,
): Picture | undefined {
  const shown = periods.slice(-mostColumns);
  if (shown.length === 0) return undefined;
  const axis = valueAxis(
    shown.map(({ total }) => Number(total)),
    'number',
    4,
    true,
  );
  const y = (value: number) => round((1 - (value - axis.min) / (axis.max - axis.min)) * heightPx);
  const columns = shown.flatMap((one, place) => {
    const middle = ((place + 0.5) / shown.length) * 100;
    const value = Number(one.total);
    const top = Math.min(y(value), y(0));
    return [
      h('rect', {
        class: one.isPart ? 'part' : 'whole',
        x: `${round(middle - (widthPart / 2 / shown.length) * 100)}%`,
        width: `${round((widthPart / shown.length) * 100)}%`,
        y: top,
        height: Math.abs(y(value) - y(0)),
      }),
      textAt(`${round(middle)}%`, top - 6, formatAmount(one.total, language), 'ax strong'),
      textAt(`${round(middle)}%`, heightPx + 17, nameOf(one, language), place % 2 === 0 ? 'ax' : 'ax alt'),
    ];
  });
  const grid = axis.ticks.flatMap((tick) => [
    h(tick === 0 ? 'line.g0' : 'line.g', { x1: 0, x2: '100%', y1: y(tick), y2: y(tick) }),
    textAt('0%', y(tick), formatNumber(tick, language, 2), 'ay', -8),
  ]);
  const said = shown
    .map((one) => `${nameOf(one, language)}: ${formatAmount(one.total, language)}`)
    .join(', ');
  return { heightPx, kind: 'cols', label: `${label} ${said}.`, nodes: [...grid, ...columns] };
}

/** Writes `1–20 Nov`; for a whole month its first day, and without days the API's word. */
function nameOf({ from, to, period }: RevenuePeriod, language: Language): string {
  if (from === null || to === null) return period === null ? '?' : inLanguage(period, language);
  const text = (date: string) => formatTick(date, { from, to }, language);
  const isMonth = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  if (isMonth && dayOf(to) - dayOf(from) < 31) return text(from).replace(/^1 /, '');
  return from.slice(0, 7) === to.slice(0, 7)
    ? `${Number(from.slice(8))}–${text(to)}`
    : `${text(from)} – ${text(to)}`;
}
