// What a pointer on an axis of time reads: the date, and each series with its value and what is said beside it.
import type { Language } from './chart.ts';
import { cutText } from './cut-text.ts';
import { formatDate, formatNumber } from './format.ts';

interface Entry {
  readonly seriesName: string;
  readonly name: string;
  readonly marker: string;
  readonly date: string;
  readonly value: number | null;
}

/** For `tooltip.formatter` with `trigger: 'axis'`. @param format how values are written */
export function dateTooltip(
  language: Language,
  format = (value: number) => formatNumber(value, language),
): (given: unknown) => string {
  return (given) => {
    const entries = (Array.isArray(given) ? given : [given]).flatMap((one) => entryOf(one) ?? []);
    const shown = entries.filter(({ value, date }) => value !== null && date !== '');
    const lines = shown.map(({ marker, seriesName, value, name }) => {
      const detail = name === '' ? '' : ` · ${plain(name)}`;
      return `${marker}${plain(seriesName)}: ${format(value ?? 0)}${detail}`;
    });
    const [first] = shown;
    return first === undefined ? '' : [formatDate(first.date, language), ...lines].join('\n');
  };
}

/** One line, in which a brace of the data begins no style of its own. */
export function plain(text: string): string {
  return cutText(text, 100).replaceAll('{', '{\u2060');
}

function entryOf(given: unknown): Entry | undefined {
  if (typeof given !== 'object' || given === null || !('value' in given)) return undefined;
  const [date, value]: unknown[] = Array.isArray(given.value) ? given.value : [];
  const text = (name: string) => {
    const found: unknown = Object.entries(given).find(([key]) => key === name)?.[1];
    return typeof found === 'string' ? found : '';
  };
  return {
    seriesName: text('seriesName'),
    name: text('name'),
    marker: text('marker'),
    date: typeof date === 'string' ? date : '',
    value: typeof value === 'number' ? value : null,
  };
}
