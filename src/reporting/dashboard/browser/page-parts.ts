// What stands on a page beside its charts: what happened, and what is not here.

import { inLanguage } from '../../../core/api-words.ts';
import type { Chart, Fields } from '../charts/chart.ts';
import { rankTrend } from '../charts/client.ts';
import { dateOf, dayOf } from '../charts/dates.ts';
import { type Mark, marksOf, symbolOf } from '../charts/draw-marks.ts';
import { counted, formatChange, formatDate, formatNumber } from '../charts/format.ts';
import { node } from '../charts/svg.ts';
import { eventsTitle, fieldsOf, markerText, valueWords } from '../charts/tell.ts';
import { narrow } from '../page/narrow.ts';
import type { PageData } from '../page/page-data.ts';
import { element, svgElement } from './element.ts';
import type { View } from './view.ts';

const effectDays = 7;
const dayNoun = { en: ['day', 'days'], es: ['día', 'días'] } as const;

/** The AI Rank on the date of something and a week later: never called its effect. Undefined: one of them is not known. */
function rankAround(
  date: string,
  points: readonly Fields[],
): { before: number; after: number; days: number } | undefined {
  const newest = (from: string, to: string) =>
    points.findLast((row) => (row.text('date') ?? '') > from && (row.text('date') ?? '') <= to);
  const before = newest(dateOf(dayOf(date) - effectDays), date);
  const after = newest(date, dateOf(dayOf(date) + effectDays));
  if (before === undefined || after === undefined || before.text('method') !== after.text('method'))
    return undefined;
  const days = dayOf(after.text('date') ?? '') - dayOf(date);
  return { before: before.number('score') ?? 0, after: after.number('score') ?? 0, days };
}

/** The marks of the pictures in words, the newest first, also for paper. */
export function eventList({ markers, charts }: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const marks = marksOf(markers, period);
  if (marks.length === 0) return undefined;
  const data = charts[rankTrend.name];
  const points = data === undefined ? [] : fieldsOf(data.columns, data.rows);
  const known = points.filter((row) => row.text('excluded_reason') === null && row.number('score') !== null);
  const row = (mark: Mark) => {
    const around = rankAround(mark.date, known);
    const number = (value: number) => formatNumber(value, language);
    const effect =
      around === undefined
        ? [element('span', { class: 'quiet' }, say('tooNew'))]
        : [
            `${number(around.before)} → ${number(around.after)} `,
            element(
              'span',
              { class: 'quiet' },
              `${formatChange(around.after - around.before, language)} ${say('in')} ${counted(around.days, dayNoun, language)}`,
            ),
          ];
    const symbol = svgElement(
      node(
        'svg',
        { class: `mk mk-in ${mark.type}`, viewBox: '-13 -13 26 26', 'aria-hidden': 'true' },
        ...symbolOf(mark),
      ),
    );
    return element(
      'tr',
      {},
      element('td', { class: 'm' }, symbol),
      element('td', { class: 'w' }, formatDate(mark.date, language)),
      element(
        'td',
        {},
        element('b', {}, markerText(mark, language)),
        element('small', {}, inLanguage(mark.type, language)),
      ),
      element('td', { class: 'n', 'data-l': say('rankAround') }, ...effect),
    );
  };
  const heads = ['mark', 'eventDate', 'events', 'rankAround'] as const;
  return element(
    'section',
    { class: 'card', 'data-part': 'events' },
    element(
      'header',
      {},
      element('h2', {}, eventsTitle(marks, language)),
      element('p', { class: 'sub' }, say('eventsNote')),
    ),
    element(
      'table',
      { class: 'stack hap' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...heads.map((name) =>
            name === 'mark'
              ? element('th', { scope: 'col' }, element('span', { class: 'vh' }, say(name)))
              : element('th', { scope: 'col', class: name === 'rankAround' ? 'n' : undefined }, say(name)),
          ),
        ),
      ),
      element('tbody', {}, ...marks.toReversed().map(row)),
    ),
  );
}

/** One line: what this account has nothing of, and why. */
export function notHereLine(charts: readonly Chart[], data: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const said = charts.flatMap((chart) => {
    const own = data.charts[chart.name];
    if (
      own === undefined ||
      own.state === 'failed' ||
      chart.isOpened ||
      chart.rowsOf !== undefined ||
      narrow(chart, own, period).length > 0
    )
      return [];
    const why =
      own.rows.length > 0
        ? say('noDataInPeriod')
        : own.state === 'not_given' || own.state === 'not_mapped' || own.state === 'of_account'
          ? valueWords[own.state][language]
          : say('noData');
    const where = own.state === 'not_mapped' ? `; airank map ${own.missing[0] ?? ''}` : '';
    return [`${chart.label[language]} (${why.toLowerCase()}${where})`];
  });
  return said.length === 0
    ? undefined
    : element('footer', { 'data-part': 'not-here' }, `${say('notHereLine')}: ${said.join(', ')}.`);
}
