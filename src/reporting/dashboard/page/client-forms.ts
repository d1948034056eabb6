// A client: each figure beside its line, engines as small pictures on one scale, and bars beside their names.
import type { Bars, Fields, Language, Multiples, Trend } from '../charts/chart.ts';
import { engineShares, rankTitle, rankTrend, shareTitle } from '../charts/client.ts';
import { addDays } from '../charts/dates.ts';
import { barDates, drawBars } from '../charts/draw-bars.ts';
import { drawLane, marksOf } from '../charts/draw-marks.ts';
import { sharesOf } from '../charts/draw-spark.ts';
import { drawLines, drawTrend, excludedOf, linesOf, type Point, seriesName } from '../charts/draw-trend.ts';
import { fill, formatDate, formatNumber, formatRate } from '../charts/format.ts';
import { fieldsOf } from '../charts/tell.ts';
import { type Child, h, type Picture, pictureTree, type Tree } from '../charts/tree.ts';
import { type FigureNames, figureOf, rankNames, shareNames } from './figure.ts';
import { narrow } from './narrow.ts';
import type { Shown } from './shown.ts';

const pictureOf = (picture: Picture | undefined) => picture && pictureTree(picture);

/** Replaces an axis with a single date: since when there is data, and what the line waits for. */
export function onlyOne(
  points: readonly Pick<Point, 'date'>[],
  language: Language,
  isByWeek = false,
): Tree | undefined {
  const [date, another] = [...new Set(points.map((one) => one.date))];
  if (date === undefined || another !== undefined) return undefined;
  const words = isByWeek
    ? 'Only the week of {date} so far: a line starts with the week of {next}'
    : 'Only {date} so far: a line needs a second date';
  const next = formatDate(addDays(date, 7), language);
  return h('p.notice', fill(words, language, { date: formatDate(date, language), next }));
}

export function trendOf(rows: readonly Fields[], form: Trend, shown: Shown): Tree | undefined {
  const points = [
    ...linesOf(rows, form, shown.language).flatMap((one) => one.points),
    ...excludedOf(rows, form),
  ];
  return (
    onlyOne(points, shown.language) ?? pictureOf(drawTrend(rows, form, { ...shown, label: shown.caption }))
  );
}

/** Shows a client's share of answers and AI Rank on one date axis, so that a mark has the same place in both. */
export function standingOf([row]: readonly Fields[], shown: Shown): Tree | undefined {
  if (row === undefined) return undefined;
  const { language, period, markers, others, say } = shown;
  const telling = { ...shown, gaps: shown.data.gaps };
  const shares = sharesOf(row).filter(({ date }) => date >= period.from && date <= period.to);
  const [form] = rankTrend.forms;
  const data = others['rank-trend'];
  const ranks = data === undefined ? [] : fieldsOf(data.columns, narrow(rankTrend, data, period));
  const isNow = ({ name }: { readonly name: string }) => Number(name === row.text('method'));
  const isTrend = form?.as === 'trend';
  const lines = isTrend ? linesOf(ranks, form, language).sort((one, other) => isNow(other) - isNow(one)) : [];
  const excluded = isTrend ? excludedOf(ranks, form) : [];
  const rankPoints = [...lines.flatMap(({ points }) => points), ...excluded];
  const dates = [...shares, ...rankPoints].map(({ date }) => date);
  const span = { from: dates.toSorted()[0] ?? period.from, to: [...dates, period.to].sort().at(-1) ?? '' };
  const both = { language, period, markers, span, isNamed: lines.length > 1 };
  const share = drawLines(shares.length === 0 ? [] : [{ name: '', points: shares }], {
    ...both,
    value: 'mention_rate',
    label: shareTitle(row, telling),
    fromZero: true,
    means: meansOf(row),
  });
  const rank = drawLines(lines, { ...both, value: 'score', label: rankTitle(row, telling), excluded });
  const number = (name: string, factor = 1) => formatNumber((row.number(name) ?? 0) * factor, language);
  const small = (name: string, said: () => string) =>
    row.number(name) === null ? undefined : h('small', said());
  const date = (name: string) => formatDate(row.text(name) ?? '', language);
  const usual = (name: string, factor?: number) =>
    small(name, () => `${say('usual range')} ±${number(name, factor)}`);
  /** Shows a figure with its verdict and comparison, and its picture beside it. */
  const half = (label: string, names: FigureNames, smalls: readonly Child[], ...pictures: Child[]) => [
    h('div.big', h('span.sub', label), ...figureOf(row, names, shown), ...smalls),
    h('div', ...pictures),
  ];
  const before = small(
    'before_mention_rate',
    () => `${say('before')} ${number('before_mention_rate', 100)} %`,
  );
  const interval = small(
    'score_low',
    () => `${number('score_low')}–${number('score_high')}, ${date('date')}`,
  );
  const then = small('score_28d', () => `${number('score_28d')}, ${date('date_28d')}`);
  const lane = drawLane(marksOf(markers, period), span, say('What happened and when'), lines.length > 1);
  const method = row.text('method');
  const rankLabel = `${say('AI Rank, 0–100')}${method === null ? '' : `, ${method}`}`;
  return h(
    'div.trend',
    ...half(
      say('Share of answers that name it'),
      shareNames,
      [before, usual('usual_mention_change', 100)],
      onlyOne(shares, language, true) ?? pictureOf(share),
    ),
    h('hr'),
    ...half(
      rankLabel,
      rankNames,
      [interval, then, usual('usual_change')],
      pictureOf(lane),
      onlyOne(rankPoints, language) ?? pictureOf(rank),
    ),
  );
}

const comparedDays = 28;

/** Returns the share of the last 28 days and of the 28 before, which the verdict compares. */
function meansOf(row: Fields): { from: string; to: string; value: number }[] {
  const [from, to] = [row.text('mention_from_date'), row.text('mention_to_date')];
  const [now, before] = [row.number('mention_rate'), row.number('before_mention_rate')];
  if (from === null || to === null) return [];
  const earlier = (date: string) => addDays(date, -comparedDays);
  return [
    ...(before === null ? [] : [{ from: earlier(from), to: earlier(to), value: before }]),
    ...(now === null ? [] : [{ from, to, value: now }]),
  ];
}

export function multiplesOf(rows: readonly Fields[], form: Multiples, shown: Shown): Tree | undefined {
  const { language, period, say } = shown;
  const lines = linesOf(rows, { ...form, as: 'trend' }, language);
  if (lines.length === 0) return undefined;
  const together = togetherOf(rows, form);
  const span = { from: together[0]?.date ?? '', to: together.at(-1)?.date ?? '' };
  const shares = new Map(
    engineShares(rows).map((one) => [seriesName(one.engine, form.series, language), one]),
  );
  const only = onlyOne(together, language, true);
  const made = lines.map((line) => {
    const share = shares.get(line.name);
    const now = share?.now == null ? '' : formatRate(share.now, language);
    const was = share?.before == null ? '' : ` ${say('was')} ${formatNumber(share.before * 100, language)}`;
    const drawn = { language, period, markers: [], value: form.value, label: line.name, span, together };
    const head = h('div.h', h('h3', line.name), h('span', h('b', now), h('small.quiet', was)));
    return h('li', head, only === undefined ? pictureOf(drawLines([line], drawn)) : undefined);
  });
  return h('div', only, h('ul.multi', ...made));
}

/** Adds all series of a date up to one share. */
function togetherOf(rows: readonly Fields[], form: Multiples): Point[] {
  const byDate = new Map<string, [part: number, whole: number]>();
  for (const row of rows) {
    const date = row.text(form.date) ?? '';
    const [part, whole] = byDate.get(date) ?? [0, 0];
    byDate.set(date, [part + (row.number(form.part) ?? 0), whole + (row.number(form.whole) ?? 0)]);
  }
  return [...byDate]
    .sort()
    .flatMap(([date, [part, whole]]) =>
      whole === 0 ? [] : [{ date, value: part / whole, low: null, high: null }],
    );
}

export function barsOf(rows: readonly Fields[], form: Bars, { language, say }: Shown): Tree | undefined {
  const bars = drawBars(rows, form, language);
  if (bars.length === 0) return undefined;
  const [oldest] = form.newest === undefined ? [] : barDates(rows, form);
  const body = bars.map(({ name, isOwn, small, href, text, change, picture }) =>
    h(
      'tr',
      h(
        'th',
        { scope: 'row' },
        // An address in the data may be anything, so only web pages open.
        href !== null && /^https?:\/\//i.test(href)
          ? h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, name)
          : isOwn && form.own !== undefined
            ? h('b', name)
            : name,
        small === '' ? undefined : h('small', small),
      ),
      h('td', picture),
      h('td.n', text),
      oldest === undefined ? undefined : h('td.n.quiet', change),
    ),
  );
  const mark = h('svg.bar', { width: 8, 'aria-hidden': 'true' }, h('line.was', { x1: 4, x2: 4, y2: 16 }));
  const key = oldest && h('ul.key', h('li', mark, `${say('before')}, ${formatDate(oldest, language)}`));
  return h('div', h('table.bars', h('tbody', ...body)), key);
}
