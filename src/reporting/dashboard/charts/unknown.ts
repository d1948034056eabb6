// Four things that are not "no" and not 0, with one word each wherever a title, a tile or a picture says them.
import type { ScatterSeriesOption } from 'echarts';
import type { Column, DrawContext, Drawing, Gaps, Language, Words } from './chart.ts';
import { formatChange, formatNumber } from './format.ts';

export const valueWords = {
  /** The field came without a value. */
  unknown: { en: 'not known', es: 'sin dato' },
  /** Nobody said which field holds it. */
  not_mapped: { en: 'not mapped', es: 'sin asignar' },
  /** The route is not available to the client, or has nothing of it. */
  not_given: { en: 'not given for this client', es: 'no se da para este cliente' },
  /** There is a value, the same as before. */
  unchanged: { en: 'unchanged', es: 'sin cambios' },
} as const satisfies Record<string, Words>;

/** `+1.2`, with its direction; a change that would be written as 0 is none. */
export function changeOf(change: number, language: Language) {
  const text = formatChange(change, language);
  if (text === '0') return { change: valueWords.unchanged[language], direction: 'same' } as const;
  return { change: text, direction: change > 0 ? 'up' : 'down' } as const;
}

/** Why a value is not there. @param columns of the chart's views; the first one with a reason gives the word */
export function unknownWord({ gaps, language }: DrawContext, ...columns: readonly string[]): string {
  const gap = columns.map((column) => gaps[column]).find((one) => one !== undefined);
  return valueWords[gap ?? 'unknown'][language];
}

/** `3 done`; where the status is the word for none, `status of 3: not mapped`. */
export function statusCount(count: number, status: string, context: DrawContext): string {
  if (status !== unknownWord(context, 'status')) return `${count} ${status}`;
  return `${{ en: 'status of', es: 'estado de' }[context.language]} ${count}: ${status}`;
}

/** Of a column without any value: with the reason, where there is one. */
export function columnLabel({ name, label }: Column, values: readonly (string | null)[], gaps: Gaps): Words {
  const gap = gaps[name];
  if (gap === undefined || values.some((value) => value !== null)) return label;
  const { en, es } = valueWords[gap];
  return { en: `${label.en} (${en})`, es: `${label.es} (${es})` };
}

/** Ends a title: `; 12 not mapped`. Empty where there are none. */
export function unknownTail(count: number, context: DrawContext, ...columns: readonly string[]): string {
  if (count === 0) return '';
  return `; ${formatNumber(count, context.language, 0)} ${unknownWord(context, ...columns)}`;
}

/** Below a picture that has no place for them: `12 not drawn: not mapped`. */
export function notDrawn(count: number, word: string, language: Language): Drawing[] {
  if (count === 0) return [];
  const number = formatNumber(count, language, 0);
  const text = { en: `${number} not drawn: ${word}`, es: `${number} sin dibujar: ${word}` };
  return [{ type: 'text', text: text[language] }];
}

/** A hollow mark in each row whose bar would look like 0. @param values of the rows, from above */
export function unknownMarks(
  values: readonly (number | null)[],
  context: DrawContext,
  column: string,
): ScatterSeriesOption[] {
  const places = values.flatMap((value, place) => (value === null ? [[0, place]] : []));
  if (places.length === 0) return [];
  const { background, mutedText } = context.palette;
  return [
    {
      type: 'scatter',
      name: unknownWord(context, column),
      ...hollow(background, mutedText),
      // It stands on the axis.
      clip: false,
      data: places,
    },
  ];
}

/** What a point looks like of which it is not known what it is. */
export function hollow(background: string, border: string) {
  const look = {
    color: background,
    borderColor: border,
    borderWidth: 1.5,
    borderType: 'dashed',
    opacity: 1,
  } as const;
  return { symbol: 'circle', symbolSize: 10, color: border, itemStyle: look } as const;
}
