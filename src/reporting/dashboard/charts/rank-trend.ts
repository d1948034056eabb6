// The AI Rank over time: v2 solid, v1 dashed, never joined; points of no trend are hollow.

import type { SeriesOption } from 'echarts';
import type { Chart, Column, DrawContext, Row, Words } from './chart.ts';
import { isWithin, shiftedOnto } from './dates.ts';
import { formatChange, formatDate, formatNumber } from './format.ts';
import { type DatedValue, linePoints } from './line-points.ts';
import type { Palette } from './palette.ts';
import { dateTooltip, markerSeries, timeAxes } from './time-axes.ts';
import { valueWords } from './unknown.ts';
import { cellsOf } from './values.ts';

/**
 * How the methods of the AI Rank look wherever they are drawn: v2 solid, v1 dashed, each in its own colour.
 */
const known = ['v2', 'v1'];

/** The newest method first, an unknown one last. */
function inMethodOrder(methods: Iterable<string>): string[] {
  return [...new Set(methods)].sort((one, other) => (one < other ? 1 : -1));
}

function methodStyle(
  method: string,
  palette: Palette,
): { color: string; lineType: 'solid' | 'dashed' | 'dotted' } {
  const place = known.indexOf(method);
  const color = palette.series[place < 0 ? known.length : place] ?? palette.text;
  return { color, lineType: (['solid', 'dashed'] as const)[place] ?? 'dotted' };
}

/** Why a point of the AI Rank is in no trend, in words. */
const excludedWords: Readonly<Record<string, Words>> = {
  not_comparable: { en: 'not comparable', es: 'no comparable' },
  comparability_unknown: { en: 'comparability unknown', es: 'comparabilidad desconocida' },
  one_off: { en: 'one-off measurement', es: 'medición puntual' },
  method_unknown: { en: 'method unknown', es: 'método desconocido' },
  date_unknown: { en: 'date unknown', es: 'fecha desconocida' },
  date_ahead: { en: 'dated in the future', es: 'con fecha futura' },
  score_missing: { en: 'score missing', es: 'sin puntuación' },
};

const columns: readonly Column[] = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'score', kind: 'score', label: { en: 'AI Rank', es: 'AI Rank' } },
  { name: 'position', kind: 'level', label: { en: 'Position', es: 'Posición' } },
  {
    name: 'excluded_reason',
    kind: 'text',
    label: { en: 'Why in no trend', es: 'Por qué no cuenta en la tendencia' },
    words: excludedWords,
  },
  { name: 'api_reasons', kind: 'text', label: { en: 'Reasons stated', es: 'Motivos indicados' } },
  { name: 'source', kind: 'text', label: { en: 'Route', es: 'Ruta' } },
];

const cells = cellsOf(columns);

export const rankTrend: Chart = {
  name: 'rank-trend',
  page: 'client',
  scope: 'client',
  views: ['bi.account_rank', 'bi.rank_excluded', 'bi.rank_trend'],
  columns,
  dateColumn: 'date',
  label: { en: 'AI Rank over time', es: 'Evolución del AI Rank' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'v1 and v2 are different methods and are never joined. Hollow points cannot be compared with the others. Dates without a point are gaps. Past 180 days: the last point of each week.',
    es: 'v1 y v2 son métodos distintos y nunca se unen. Los puntos huecos no son comparables con los demás. Las fechas sin punto quedan como huecos. A partir de 180 días: el último punto de cada semana.',
  },
  draw: (rows, context) => [
    {
      type: 'picture',
      heightPx: 300,
      option: {
        ...timeAxes(context, { min: 0, max: 100 }),
        tooltip: {
          trigger: 'axis',
          renderMode: 'richText',
          confine: true,
          formatter: dateTooltip(context.language),
        },
        series: [...series(rows, context), ...markerSeries(context)],
      },
    },
  ],
};

function titleOf(rows: readonly Row[], { language, changes, clientKey }: DrawContext): string {
  const points = rows.filter((row) => isOfTrend(row) && cells.number(row, 'score') !== null);
  const newest = points.at(-1);
  if (newest === undefined) {
    const none = {
      en: 'No comparable points in this period',
      es: 'No hay puntos comparables en este periodo',
    };
    return none[language];
  }
  const method = cells.text(newest, 'method');
  const methods = new Set(points.map((row) => cells.text(row, 'method')));
  const notStated = `${{ en: 'method', es: 'método' }[language]} ${valueWords.unknown[language]}`;
  const name = methods.size > 1 ? ` (${method ?? notStated})` : '';
  const date = cells.text(newest, 'date') ?? '';
  const on = formatDate(date, language);
  const score = formatNumber(cells.number(newest, 'score') ?? 0, language);
  const compared = changes.find((one) => one.clientKey === clientKey && one.date === date);
  if (compared === undefined) {
    return { en: `The AI Rank${name} is ${score} on ${on}`, es: `El AI Rank${name} es ${score} el ${on}` }[
      language
    ];
  }
  const change = formatChange(compared.change, language);
  const since = formatDate(compared.comparedDate, language);
  const moved = {
    en: change === '0' ? valueWords.unchanged.en : `${change} points`,
    es: change === '0' ? valueWords.unchanged.es : `${change} puntos`,
  };
  return {
    en: `The AI Rank${name} is ${score} on ${on}: ${moved.en} since ${since}`,
    es: `El AI Rank${name} es ${score} el ${on}: ${moved.es} desde el ${since}`,
  }[language];
}

function isOfTrend(row: Row): boolean {
  return cells.text(row, 'excluded_reason') === null;
}

/** A line a method, fainter for the period beside it, and the points of no trend. */
function series(rows: readonly Row[], context: DrawContext): SeriesOption[] {
  const { period, compare, language } = context;
  const drawn = rows.filter((row) => isWithin(cells.text(row, 'date'), period));
  const before =
    compare === undefined ? [] : rows.filter((row) => isWithin(cells.text(row, 'date'), compare));
  const beforeWord = { en: 'before', es: 'antes' }[language];
  const ofTrend = (some: readonly Row[]) => some.filter(isOfTrend);
  return [
    ...lines(ofTrend(drawn), context, (method) => method),
    ...lines(ofTrend(before), context, (method) => `${method}, ${beforeWord}`, compare),
    ...hollowPoints(
      drawn.filter((row) => !isOfTrend(row)),
      context,
    ),
  ];
}

function lines(
  rows: readonly Row[],
  { palette, period, language }: DrawContext,
  nameOf: (method: string) => string,
  compare?: DrawContext['compare'],
): SeriesOption[] {
  return inMethodOrder(rows.map(methodOf)).map((method) => {
    const { color, lineType } = methodStyle(method, palette);
    const values = rows.filter((row) => methodOf(row) === method).map((row) => datedValue(row, language));
    const shown =
      compare === undefined ? values : values.map((one) => ontoPeriod(one, period, compare, language));
    return {
      type: 'line',
      name: nameOf(method),
      symbol: 'circle',
      symbolSize: compare === undefined ? 5 : 3,
      color,
      lineStyle: {
        type: lineType,
        width: compare === undefined ? 2 : 1,
        opacity: compare === undefined ? 1 : 0.5,
      },
      itemStyle: { opacity: compare === undefined ? 1 : 0.5 },
      data: linePoints(shown.filter(({ date }) => isWithin(date, period))),
    };
  });
}

function hollowPoints(rows: readonly Row[], { palette, language }: DrawContext): SeriesOption[] {
  const drawn = rows.filter((row) => cells.number(row, 'score') !== null);
  if (drawn.length === 0) return [];
  return [
    {
      type: 'scatter',
      name: { en: 'in no trend', es: 'fuera de la tendencia' }[language],
      symbol: 'circle',
      symbolSize: 8,
      itemStyle: { color: 'transparent', borderColor: palette.mutedText, borderWidth: 1.5 },
      data: drawn.map((row) => {
        const { date, value } = datedValue(row, language);
        const reason = cells.text(row, 'excluded_reason') ?? '';
        const said = [
          methodOf(row),
          excludedWords[reason]?.[language] ?? reason,
          cells.text(row, 'api_reasons'),
        ];
        return {
          value: [date, value],
          name: said.filter((one) => one !== null && one !== '').join(', '),
          itemStyle: { color: 'transparent', borderColor: methodStyle(methodOf(row), palette).color },
        };
      }),
    },
  ];
}

function methodOf(row: Row): string {
  return cells.text(row, 'method') ?? '?';
}

function datedValue(row: Row, language: DrawContext['language']): DatedValue {
  const position = cells.number(row, 'position');
  const word = { en: 'position', es: 'posición' }[language];
  return {
    date: cells.text(row, 'date') ?? '',
    value: cells.number(row, 'score'),
    ...(position !== null && { detail: `${word} ${formatNumber(position, language, 0)}` }),
  };
}

/** Moved onto the dates of the period; its own date is said beside it. */
function ontoPeriod(
  { date, value, detail }: DatedValue,
  period: DrawContext['period'],
  compare: NonNullable<DrawContext['compare']>,
  language: DrawContext['language'],
): DatedValue {
  const said = [formatDate(date, language), detail].filter((one) => one !== undefined).join(', ');
  return { date: shiftedOnto(period, compare, date), value, detail: said };
}
