// A client: each figure beside its line, engines as small pictures on one scale, and bars beside their names.
import type { Bars, Fields, Multiples } from '../charts/chart.ts';
import { engineShares, rankTitle, rankTrend, shareTitle } from '../charts/client.ts';
import { dateOf, dayOf } from '../charts/dates.ts';
import { barDates, drawBars } from '../charts/draw-bars.ts';
import { drawLane, marksOf } from '../charts/draw-marks.ts';
import { sharesOf } from '../charts/draw-spark.ts';
import { drawLines, excludedOf, linesOf, type Point, seriesName } from '../charts/draw-trend.ts';
import { formatDate, formatNumber, formatRate } from '../charts/format.ts';
import type { Picture } from '../charts/svg.ts';
import { fieldsOf } from '../charts/tell.ts';
import { narrow } from '../page/narrow.ts';
import { element, pictureElement, svgElement } from './element.ts';
import { type FigureNames, figureOf, rankNames, shareNames } from './portfolio-forms.ts';
import type { Shown } from './view.ts';

export function standingOf([row]: readonly Fields[], shown: Shown): HTMLElement | undefined {
  if (row === undefined) return undefined;
  const { view, context, others } = shown;
  const { language, period, say } = view;
  const telling = { language, period, gaps: shown.data.gaps };
  const shares = sharesOf(row).filter(({ date }) => date >= period.from && date <= period.to);
  const [form] = rankTrend.forms;
  const data = others['rank-trend'];
  const ranks = data === undefined ? [] : fieldsOf(data.columns, narrow(rankTrend, data, period));
  const isNow = ({ name }: { readonly name: string }) => Number(name === row.text('method'));
  const lines =
    form?.as === 'trend'
      ? linesOf(ranks, form, language).sort((one, other) => isNow(other) - isNow(one))
      : [];
  const excluded = form?.as === 'trend' ? excludedOf(ranks, form) : [];
  const dates = [...shares, ...lines.flatMap(({ points }) => points), ...excluded]
    .map(({ date }) => date)
    .sort();
  // One axis of dates for both, so that a mark stands in both at the same place.
  const span = {
    from: dates[0] ?? period.from,
    to: [dates.at(-1) ?? period.to, period.to].sort()[1] ?? period.to,
  };
  const marks = marksOf(context.markers, period);
  const both = { ...context, language, span };
  const lane = drawLane(marks, span, say('marks'));
  const share = drawLines(shares.length === 0 ? [] : [{ name: '', points: shares }], {
    ...both,
    value: 'mention_rate',
    label: shareTitle(row, telling),
    fromZero: true,
    means: meansOf(row),
  });
  const rank = drawLines(lines, { ...both, value: 'score', label: rankTitle(row, telling), excluded });
  const number = (name: string, factor = 1) => (row.number(name) ?? 0) * factor;
  const text = (name: string, said: () => string) =>
    row.number(name) === null ? [] : [element('small', {}, said())];
  const date = (name: string) => formatDate(row.text(name) ?? '', language);
  const percent = (name: string) => formatRate(number(name), language);
  const points = (name: string) => formatNumber(number(name), language);
  const usual = (name: string, factor?: number) =>
    text(name, () => `${say('usualRange')} ±${formatNumber(number(name, factor), language)}`);
  /** A figure with its verdict and what it is compared with, and beside it its picture. */
  const half = (
    label: string,
    names: FigureNames,
    small: readonly Node[],
    pictures: readonly (Picture | undefined)[],
  ) => [
    element(
      'div',
      { class: 'big' },
      element('span', { class: 'sub' }, label),
      ...figureOf(row, names, view, shown.data.gaps),
      ...small,
    ),
    element('div', {}, ...pictures.flatMap((one) => (one === undefined ? [] : [pictureElement(one)]))),
  ];
  const before = text('before_mention_rate', () => `${say('before')} ${percent('before_mention_rate')}`);
  const interval = text('score_low', () => `${points('score_low')}–${points('score_high')}, ${date('date')}`);
  const then = text('score_28d', () => `${points('score_28d')}, ${date('date_28d')}`);
  const method = row.text('method');
  return element(
    'div',
    { class: 'trend' },
    ...half(say('namedIn'), shareNames, [...before, ...usual('usual_mention_change', 100)], [share]),
    element('hr'),
    ...half(
      `${say('aiRank')}${method === null ? '' : `, ${method}`}`,
      rankNames,
      [...interval, ...then, ...usual('usual_change')],
      [lane, rank],
    ),
  );
}

const comparedDays = 28;

/** The share of the last 28 days and of the 28 before, as the verdict compares them. */
function meansOf(row: Fields): { from: string; to: string; value: number }[] {
  const [from, to] = [row.text('mention_from_date'), row.text('mention_to_date')];
  const [now, before] = [row.number('mention_rate'), row.number('before_mention_rate')];
  if (from === null || to === null) return [];
  const earlier = (date: string) => dateOf(dayOf(date) - comparedDays);
  return [
    ...(before === null ? [] : [{ from: earlier(from), to: earlier(to), value: before }]),
    ...(now === null ? [] : [{ from, to, value: now }]),
  ];
}

export function multiplesOf(
  rows: readonly Fields[],
  form: Multiples,
  { view, context }: Shown,
): HTMLElement | undefined {
  const { language, say } = view;
  const lines = linesOf(
    rows,
    { as: 'trend', date: form.date, value: form.value, series: form.series, low: form.low, high: form.high },
    language,
  );
  if (lines.length === 0) return undefined;
  const together = togetherOf(rows, form);
  const dates = together.map(({ date }) => date);
  const span = { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
  const shares = new Map(
    engineShares(rows).map((one) => [seriesName(one.engine, form.series, language), one]),
  );
  const made = lines.map((line) => {
    const share = shares.get(line.name);
    const was = share?.before == null ? '' : ` ${say('was')} ${formatNumber(share.before * 100, language)}`;
    const picture = drawLines([line], {
      ...context,
      language,
      markers: [],
      value: form.value,
      label: line.name,
      span,
      together,
    });
    return element(
      'li',
      {},
      element(
        'div',
        { class: 'h' },
        element('h3', {}, line.name),
        element(
          'span',
          {},
          element('b', {}, share?.now == null ? '' : formatRate(share.now, language)),
          element('small', { class: 'quiet' }, was),
        ),
      ),
      picture === undefined ? undefined : pictureElement(picture),
    );
  });
  return element('ul', { class: 'multi' }, ...made);
}

/** All series of a date as one share. */
function togetherOf(rows: readonly Fields[], form: Multiples): Point[] {
  const byDate = new Map<string, [part: number, whole: number]>();
  for (const row of rows) {
    const [part, whole] = byDate.get(row.text(form.date) ?? '') ?? [0, 0];
    byDate.set(row.text(form.date) ?? '', [
      part + (row.number(form.part) ?? 0),
      whole + (row.number(form.whole) ?? 0),
    ]);
  }
  return [...byDate]
    .sort()
    .flatMap(([date, [part, whole]]) =>
      whole === 0 ? [] : [{ date, value: part / whole, low: null, high: null }],
    );
}

export function barsOf(rows: readonly Fields[], form: Bars, { view }: Shown): HTMLElement | undefined {
  const { language, say } = view;
  const bars = drawBars(rows, form, language);
  if (bars.length === 0) return undefined;
  const [oldest] = form.newest === undefined ? [] : barDates(rows, form);
  const mark = svgElement({
    tag: 'svg',
    attributes: { width: 8, height: 16, class: 'bar', 'aria-hidden': 'true' },
    children: [{ tag: 'line', attributes: { class: 'was', x1: 4, x2: 4, y2: 16 }, children: [] }],
  });
  return element(
    'div',
    {},
    element(
      'table',
      { class: 'bars' },
      element(
        'tbody',
        {},
        ...bars.map(({ name, isOwn, text, change, picture }) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, isOwn && form.own !== undefined ? element('b', {}, name) : name),
            element('td', {}, picture === undefined ? '' : svgElement(picture)),
            element('td', { class: 'n' }, text),
            oldest === undefined ? undefined : element('td', { class: 'n quiet' }, change),
          ),
        ),
      ),
    ),
    oldest === undefined
      ? undefined
      : element(
          'ul',
          { class: 'key' },
          element('li', {}, mark, `${say('before')}, ${formatDate(oldest, language)}`),
        ),
  );
}
