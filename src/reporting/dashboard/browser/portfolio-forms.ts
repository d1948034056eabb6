// The portfolio: one picture of all clients, a row for each, and what is open of the account itself.
import type { Fields, Gaps } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawSpark, sharesOf } from '../charts/draw-spark.ts';
import { type Direction, drawLines, type Line, linesOf } from '../charts/draw-trend.ts';
import { formatChange, formatDate, formatNumber, formatRate, verdictWords } from '../charts/format.ts';
import { groupsOf, whyOf } from '../charts/portfolio.ts';
import { fieldsOf, unknownWord } from '../charts/tell.ts';
import { clientLink } from './cells.ts';
import { element, pictureElement, svgElement } from './element.ts';
import type { Shown, View } from './view.ts';

function directionOf(row: Fields, name: string): Direction | undefined {
  const word = row.text(name);
  return word === 'fell' || word === 'rose' ? word : undefined;
}

/** Loud where a change is clear, grey within the usual range, and a dashed word where nothing can be said. */
function changeChip(
  verdict: string | null,
  change: string,
  { language, say }: View,
): HTMLElement | undefined {
  if (verdict === null) return undefined;
  const said = verdictWords[verdict]?.[language] ?? verdict;
  if (verdict === 'rose' || verdict === 'fell') {
    const sign = element('span', { 'aria-hidden': 'true' }, verdict === 'rose' ? '▲' : '▼');
    return element('span', { class: `chip ${verdict}` }, sign, `${said} ${change.replace(/^[+−]/, '')}`);
  }
  if (verdict === 'usual')
    return element('span', { class: 'quiet' }, change, element('span', { class: 'vh' }, `, ${said}`));
  return element('span', { class: 'chip wait', title: said }, say('noVerdict'));
}

export interface FigureNames {
  readonly value: 'mention_rate' | 'score';
  readonly verdict: string;
  readonly change: string;
}

/** The figure with its verdict. */
export function figureOf(row: Fields, names: FigureNames, view: View, gaps: Gaps = {}): (Node | string)[] {
  const { language } = view;
  const [value, change] = [row.number(names.value), row.number(names.change)];
  if (value === null)
    return [element('span', { class: 'quiet' }, unknownWord({ gaps, language }, names.value))];
  const isShare = names.value === 'mention_rate';
  const text = isShare ? formatRate(value, language) : formatNumber(value, language);
  const by = change === null ? '' : formatChange(isShare ? change * 100 : change, language);
  return [element('b', {}, text), changeChip(row.text(names.verdict), by, view) ?? ''];
}

export const shareNames = {
  value: 'mention_rate',
  verdict: 'mention_direction',
  change: 'mention_change',
} as const;
export const rankNames = { value: 'score', verdict: 'rank_direction', change: 'change_28d' } as const;

export function standingsOf(rows: readonly Fields[], { view }: Shown): HTMLElement {
  const { language, period, say } = view;
  const lines = rows.map((row) => ({ row, points: sharesOf(row) }));
  const all = lines.flatMap(({ points }) => points);
  const dates = all.map(({ date }) => date).sort();
  const span = { from: dates[0] ?? period.from, to: dates.at(-1) ?? period.to };
  const most = Math.max(0.01, ...all.map(({ value, high }) => high ?? value));
  const heads = ['client', 'byWeek', 'namedIn', 'aiRank', 'why'] as const;
  const made = ({ row, points }: (typeof lines)[number]) => {
    const name = element('bdi', {}, row.text('client_name') ?? '');
    const [label, sector] = [row.text('client_name') ?? '', row.text('client_sector')];
    const direction = directionOf(row, 'mention_direction');
    const [why, small] = whyOf(row, { language, period });
    const sign =
      (row.number('alert_count') ?? 0) > 0 ? '◆ ' : row.text('need') === 'data_not_up_to_date' ? '↻ ' : '';
    const [low, high] = [row.number('score_low'), row.number('score_high')];
    return element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row', class: 'name' },
        clientLink(row.text('client_key'), name, view) ?? name,
        sector === null ? undefined : element('small', {}, sector),
      ),
      element(
        'td',
        { class: 'line' },
        points.length === 0
          ? ''
          : svgElement(drawSpark(points, { span, most, direction, label: `${label}: ${say('byWeek')}` })),
      ),
      element(
        'td',
        { class: 'val', 'data-l': columnOf('mention_rate').label[language] },
        ...figureOf(row, shareNames, view),
      ),
      element(
        'td',
        { class: 'val', 'data-l': columnOf('score').label[language] },
        ...figureOf(row, rankNames, view),
        low === null || high === null
          ? undefined
          : element(
              'small',
              { class: 'quiet' },
              `${formatNumber(low, language)}–${formatNumber(high, language)}`,
            ),
      ),
      element(
        'td',
        { class: 'why' },
        ...(why === '' ? [] : [element('span', { class: 'ta', 'aria-hidden': 'true' }, sign), why]),
        small === '' ? undefined : element('small', {}, small),
      ),
    );
  };
  const body = groupsOf(rows).flatMap((group) => [
    element(
      'tr',
      { class: 'group' },
      element(
        'th',
        { colspan: heads.length, scope: 'rowgroup' },
        `${group.label[language]} · ${group.rows.length}`,
      ),
    ),
    ...lines.filter(({ row }) => group.rows.includes(row)).map(made),
  ]);
  return element(
    'table',
    { class: 'port stack' },
    element(
      'thead',
      {},
      element('tr', {}, ...heads.map((name) => element('th', { scope: 'col' }, say(name)))),
    ),
    element('tbody', {}, ...body),
  );
}

export function alertsOf([row]: readonly Fields[], { view }: Shown): HTMLElement | undefined {
  if (row === undefined) return undefined;
  const { language, say } = view;
  const dates = (row.text('alert_dates') ?? '').split(' ');
  const alerts = (row.text(`alerts_${language}`) ?? '')
    .split('\n')
    .map((text, place) =>
      element(
        'li',
        {},
        element('span', { class: 'ta', 'aria-hidden': 'true' }, '◆'),
        element('span', {}, text),
        element('small', {}, `${say('since')} ${formatDate(dates[place] ?? '', language)}`),
      ),
    );
  const own =
    row.number('mention_rate') === null
      ? []
      : [
          element(
            'li',
            {},
            element('span', { class: 'quiet', 'aria-hidden': 'true' }, '●'),
            element('span', {}, `${say('namedIn')} `, ...figureOf(row, shareNames, view)),
            element('small', {}, row.text('client_name') ?? ''),
          ),
        ];
  return element('ul', { class: 'alerts' }, ...alerts, ...own);
}

/** From so many clients on the calm ones are one band. */
const mostLines = 30;
const calmParts = [0.1, 0.9];

export function portfolioOf(rows: readonly Fields[], { view, context, others }: Shown): Element | undefined {
  const { language } = view;
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
  // The clear ones are drawn on top, and named first.
  const clear = lines.filter(({ direction }) => direction !== 'calm');
  const calm = lines.filter(({ direction }) => direction === 'calm');
  const shown =
    lines.length < mostLines ? [...clear, ...calm] : clear.length > 0 ? clear : calm.slice(0, mostLines);
  const picture = drawLines(shown, {
    ...context,
    markers: [],
    language,
    value: 'score',
    ...(lines.length >= mostLines && { behind: bandOf(calm) }),
  });
  return picture === undefined ? undefined : pictureElement(picture);
}

/** Between which values the calm clients lie on each date, but for the lowest and the highest tenth. */
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
