// The list of events: the marks of the pictures in words, with the AI Rank around each.
import type { ChartData, Fields } from '../charts/chart.ts';
import { addDays, dayOf } from '../charts/dates.ts';
import { type Mark, marksOf, symbolOf } from '../charts/draw-marks.ts';
import { counted, formatChange, formatDate, formatNumber } from '../charts/format.ts';
import { eventsTitle, fieldsOf, markerText } from '../charts/tell.ts';
import { h, type Tree } from '../charts/tree.ts';
import type { Shown } from './shown.ts';

const effectDays = 7;
const dayNoun = 'day|days';

/** Tells the AI Rank on the date of an event and a week later, never as its effect. Undefined if one is unknown. */
function rankAround(
  date: string,
  points: readonly Fields[],
): { before: number; after: number; days: number } | undefined {
  const newest = (from: string, to: string) =>
    points.findLast((row) => (row.text('date') ?? '') > from && (row.text('date') ?? '') <= to);
  const before = newest(addDays(date, -effectDays), date);
  const after = newest(date, addDays(date, effectDays));
  if (before === undefined || after === undefined || before.text('method') !== after.text('method'))
    return undefined;
  const days = dayOf(after.text('date') ?? '') - dayOf(date);
  return { before: before.number('score') ?? 0, after: after.number('score') ?? 0, days };
}

/** Lists the newest first, also for paper. @param ranks rows of the statement rank-trend */
export function eventList(
  ranks: Pick<ChartData, 'columns' | 'rows'> | undefined,
  { language, period, markers, say }: Pick<Shown, 'language' | 'period' | 'markers' | 'say'>,
): Tree | undefined {
  const marks = marksOf(markers, period);
  if (marks.length === 0) return undefined;
  const known = fieldsOf(ranks?.columns ?? [], ranks?.rows ?? []).filter(
    (row) => row.text('excluded_reason') === null && row.number('score') !== null,
  );
  const row = (mark: Mark) => {
    const around = rankAround(mark.date, known);
    const said = (one: number) => formatNumber(one, language);
    const by = (one: NonNullable<typeof around>) =>
      `${formatChange(one.after - one.before, language)} ${say('in')} ${counted(one.days, dayNoun, language)}`;
    const effect =
      around === undefined
        ? [h('span.quiet', say('not known'))]
        : [`${said(around.before)} → ${said(around.after)} `, h('span.quiet', by(around))];
    const [title, details] = markerText(mark, language);
    const frame = { viewBox: '-13 -13 26 26', 'aria-hidden': 'true' };
    return h(
      'tr',
      h('td.m', h(`svg.mk.mk-in.${mark.type}`, frame, ...symbolOf(mark))),
      h('td.w', formatDate(mark.date, language)),
      h('td', h('b', title), h('small', details.join(' · '))),
      h('td.n', { 'data-l': say('AI Rank around it') }, ...effect),
    );
  };
  const heads = [
    h('th', { scope: 'col' }, h('span.vh', say('Mark'))),
    h('th', { scope: 'col' }, say('Date')),
    h('th', { scope: 'col' }, say('What happened')),
    h('th.n', { scope: 'col' }, say('AI Rank around it')),
  ];
  return h(
    'section.card',
    { 'data-part': 'events' },
    h(
      'header',
      h('h2', eventsTitle(marks, language)),
      h(
        'p.sub',
        say(
          'What happens after something is not necessarily because of it. The numbers are those of the marks above.',
        ),
      ),
    ),
    h('table.stack.hap', h('thead', h('tr', ...heads)), h('tbody', ...marks.toReversed().map(row))),
  );
}
