// The portfolio: one picture of all clients, a row for each, and open alerts of the account itself.
import type { Fields, Words } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawSpark, sharesOf } from '../charts/draw-spark.ts';
import { type Direction, drawLines, type Line, linesOf } from '../charts/draw-trend.ts';
import { fill, formatDate, formatNumber } from '../charts/format.ts';
import { groupsOf, whyOf } from '../charts/portfolio.ts';
import { fieldsOf } from '../charts/tell.ts';
import { h, pictureTree, type Tree } from '../charts/tree.ts';
import { onlyOne } from './client-forms.ts';
import { figureOf, rankNames, shareNames } from './figure.ts';
import type { Shown } from './shown.ts';

function directionOf(row: Fields, name: string): Direction | undefined {
  const word = row.text(name);
  return word === 'fell' || word === 'rose' ? word : undefined;
}

export function standingsOf(rows: readonly Fields[], shown: Shown): Tree {
  const { language, period, say, addressOf } = shown;
  const lines = rows.map((row) => ({ row, points: sharesOf(row) }));
  const all = lines.flatMap(({ points }) => points);
  const dates = all.map(({ date }) => date).sort();
  const span = { from: dates[0] ?? period.from, to: dates.at(-1) ?? period.to };
  const most = Math.max(0.01, ...all.map(({ value, high }) => high ?? value));
  const heads: Words[] = [
    'Client',
    'Named in, by week',
    'Share of answers that name it',
    'AI Rank, 0–100',
    'Why it needs somebody',
  ];
  const made = ({ row, points }: (typeof lines)[number]) => {
    const [label, sector] = [row.text('client_name') ?? '', row.text('client_sector')];
    const [name, key] = [h('bdi', label), row.text('client_key') ?? ''];
    const href = addressOf?.(key);
    const direction = directionOf(row, 'mention_direction');
    const spark = { span, most, direction, label: `${label}: ${say('Named in, by week')}` };
    const [why, small] = whyOf(row, { language, period });
    const sign =
      (row.number('alert_count') ?? 0) > 0 ? '◆ ' : row.text('need') === 'data_not_up_to_date' ? '↻ ' : '';
    const [low, high] = [row.number('score_low'), row.number('score_high')];
    const isInterval = low !== null && high !== null;
    const interval = isInterval ? `${formatNumber(low, language)}–${formatNumber(high, language)}` : '';
    const labelled = (column: string) => ({ 'data-l': fill(columnOf(column).label, language) });
    return h(
      'tr',
      h(
        'th.name',
        { scope: 'row' },
        href === undefined ? name : h('a', { href, 'data-client-key': key }, name),
        sector === null ? undefined : h('small', sector),
      ),
      h('td.line', points.length === 0 ? undefined : drawSpark(points, spark)),
      h('td.val', labelled('mention_rate'), ...figureOf(row, shareNames, shown)),
      h(
        'td.val',
        labelled('score'),
        ...figureOf(row, rankNames, shown),
        interval === '' ? undefined : h('small.quiet', interval),
      ),
      h(
        'td.why',
        ...(why === '' ? [] : [h('span.ta', { 'aria-hidden': 'true' }, sign), why]),
        small === '' ? undefined : h('small', small),
      ),
    );
  };
  const body = groupsOf(rows).flatMap((group) => {
    const label = `${fill(group.label, language)} · ${group.rows.length}`;
    return [
      h('tr.group', h('th', { colspan: heads.length, scope: 'rowgroup' }, label)),
      ...lines.filter(({ row }) => group.rows.includes(row)).map(made),
    ];
  });
  const head = h('tr', ...heads.map((name) => h('th', { scope: 'col' }, say(name))));
  return h('table.port.stack', h('thead', head), h('tbody', ...body));
}

export function alertsOf([row]: readonly Fields[], shown: Shown): Tree | undefined {
  if (row === undefined) return undefined;
  const { language, say } = shown;
  const dates = (row.text('alert_dates') ?? '').split(' ');
  const item = (sign: Tree, text: Tree, small: string) => h('li', sign, text, h('small', small));
  const alerts = (row.text(`alerts_${language}`) ?? '').split('\n').map((text, place) => {
    const since = `${say('since')} ${formatDate(dates[place] ?? '', language)}`;
    return item(h('span.ta', { 'aria-hidden': 'true' }, '◆'), h('span', text), since);
  });
  const named = h('span', `${say('Share of answers that name it')} `, ...figureOf(row, shareNames, shown));
  const own = item(h('span.quiet', { 'aria-hidden': 'true' }, '●'), named, row.text('client_name') ?? '');
  return h('ul.alerts', ...alerts, row.number('mention_rate') === null ? undefined : own);
}

/** With more lines than this, the calm ones become a band. */
const mostLines = 30;
const calmParts = [0.1, 0.9];

export function portfolioOf(rows: readonly Fields[], shown: Shown): Tree | undefined {
  const { language, period, caption, others } = shown;
  const standings = others['standings'];
  const told = fieldsOf(standings?.columns ?? [], standings?.rows ?? []);
  const directions = new Map(
    told.map((row) => [row.text('client_name'), directionOf(row, 'rank_direction')]),
  );
  const form = { as: 'trend', date: 'date', value: 'score', series: 'client_name' } as const;
  const lines = linesOf(rows, form, language).map((line) => ({
    ...line,
    direction: directions.get(line.name) ?? ('calm' as const),
  }));
  // Clear changes are drawn on top, and named first.
  const clear = lines.filter(({ direction }) => direction !== 'calm');
  const calm = lines.filter(({ direction }) => direction === 'calm');
  const isMany = lines.length >= mostLines;
  const drawn = !isMany ? [...clear, ...calm] : clear.length > 0 ? clear : calm.slice(0, mostLines);
  const context = { language, period, markers: [], label: caption, value: 'score' };
  const only = onlyOne(
    lines.flatMap(({ points }) => points),
    language,
  );
  if (only !== undefined) return only;
  const picture = drawLines(drawn, { ...context, ...(isMany && { behind: bandOf(calm) }) });
  return picture && pictureTree(picture);
}

/** Returns the range of the calm clients on each date, without the lowest and highest tenth. */
function bandOf(lines: readonly Line[]): Line['points'] {
  const byDate = new Map<string, number[]>();
  for (const { date, value } of lines.flatMap(({ points }) => points))
    byDate.set(date, [...(byDate.get(date) ?? []), value]);
  return [...byDate].sort().map(([date, values]) => {
    const sorted = values.toSorted((one, other) => one - other);
    const [low = 0, high = 0] = calmParts.map((part) => sorted[Math.round(part * (sorted.length - 1))] ?? 0);
    return { date, value: (low + high) / 2, low, high };
  });
}
