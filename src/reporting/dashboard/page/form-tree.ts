// Draws forms as trees, the same on a page and in a report.

import { inLanguage } from '../../../core/api-words.ts';
import { cutText } from '../../../core/text.ts';
import { currenciesOf, periodsOf } from '../charts/business.ts';
import type { Fields, Form, Matrix, Table, Words } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawColumns } from '../charts/draw-columns.ts';
import { round } from '../charts/draw-trend.ts';
import { fill, formatChange, formatDate, formatNumber } from '../charts/format.ts';
import { listsOf } from '../charts/questions.ts';
import { fieldsOf, unknownWord } from '../charts/tell.ts';
import { h, pictureTree, type Tree } from '../charts/tree.ts';
import { barsOf, multiplesOf, standingOf, trendOf } from './client-forms.ts';
import { alertsOf, portfolioOf, standingsOf } from './portfolio-forms.ts';
import type { Shown } from './shown.ts';

/** Undefined if it has nothing to show. */
export function formTree(form: Exclude<Form, Table | Matrix>, shown: Shown): Tree | undefined {
  const rows = fieldsOf(shown.data.columns, shown.rows);
  if (form.as !== 'trend' && form.as !== 'bars' && form.as !== 'multiples')
    return ownForms[form.as](rows, shown);
  const drawn =
    form.as === 'trend'
      ? trendOf(rows, form, shown)
      : form.as === 'bars'
        ? barsOf(rows, form, shown)
        : multiplesOf(rows, form, shown);
  const { language, data } = shown;
  const why = unknownWord({ gaps: data.gaps, language }, form.value);
  return drawn ?? h('p.notice', `${fill(columnOf(form.value).label, language)}: ${why}`);
}

const ownForms = {
  portfolio: portfolioOf,
  standings: standingsOf,
  alerts: alertsOf,
  standing: standingOf,
  columns: columnsOf,
  lists: listsTree,
  actions: actionsTree,
} as const;

/** Makes one picture per currency: two currencies never share an axis. */
function columnsOf(rows: readonly Fields[], { language, caption }: Shown): Tree | undefined {
  const drawn = currenciesOf(rows).flatMap((currency) => {
    const picture = drawColumns(periodsOf(rows, currency), language, `${currency}. ${caption}`);
    return picture === undefined ? [] : [h('h3', cutText(currency, 40)), pictureTree(picture)];
  });
  return drawn.length === 0 ? undefined : h('div', ...drawn);
}

const mostActions = 20;

function actionsTree(rows: readonly Fields[], { language, say }: Shown): Tree {
  const told = rows.slice(0, mostActions).map((row) => {
    const [from, to, seen] = ['expected_from_value', 'expected_to_value', 'observed_value'].map((name) =>
      row.number(name),
    );
    const by = (value: number | null | undefined) => (value == null || from == null ? null : value - from);
    return {
      row,
      from,
      to,
      seen,
      expected: by(to),
      observed: by(seen),
      metric: row.text('expectation_metric') ?? '',
    };
  });
  const made = told.map(({ row, from, to, seen, expected, observed, metric }) => {
    const same = told.filter((one) => one.metric === metric);
    const most = Math.max(
      1e-9,
      ...same.flatMap((one) => [Math.abs(one.expected ?? 0), Math.abs(one.observed ?? 0)]),
    );
    const x = (value: number) => `${round(50 + (value / most) * 48)}%`;
    const number = (value: number | null | undefined) => (value == null ? '' : formatNumber(value, language));
    const change = (value: number | null) => (value === null ? '' : formatChange(value, language));
    const word = (name: string) => inLanguage(row.text(name) ?? '', language);
    const since = formatDate(row.text('status_since_date') ?? '', language);
    const small = [word('action_type'), [word('status'), since].join(' ').trim()].filter((one) => one !== '');
    const width = `${round((Math.abs(expected ?? 0) / most) * 48)}%`;
    const label = `${say('Expected')} ${change(expected)}, ${say('Observed')} ${change(observed)}`;
    const bar = h(
      'svg.bar',
      { role: 'img', 'aria-label': label },
      h('line.grid', { x1: 0, x2: '100%', y1: 8, y2: 8 }),
      expected === null
        ? undefined
        : h('rect', { x: expected < 0 ? x(expected) : '50%', width, y: 3, height: 10 }),
      h('line.zero', { x1: '50%', x2: '50%', y2: 16 }),
      observed === null ? undefined : h('circle.d', { cx: x(observed), cy: 8, r: 5 }),
    );
    return h(
      'tr',
      h('th', { scope: 'row' }, h('b', row.text('title') ?? '?'), h('small', small.join(' · '))),
      h('td.exp', bar),
      h(
        'td.n',
        { 'data-l': say('Expected') },
        change(expected),
        h('small', to == null ? '' : `${number(from)} → ${number(to)}`),
      ),
      h(
        'td.n',
        { 'data-l': say('Observed') },
        seen == null ? say('not yet') : h('b', change(observed)),
        h('small', number(seen)),
      ),
      h('td', { 'data-l': say('Metric') }, inLanguage(metric, language), h('small', word('result_reading'))),
    );
  });
  const heads: readonly [look: string, label: Words][] = [
    ['th', 'Action'],
    ['th', 'Change'],
    ['th.n', 'Expected'],
    ['th.n', 'Observed'],
    ['th', 'Metric'],
  ];
  const head = heads.map(([look, label]) => h(look, { scope: 'col' }, say(label)));
  const more = rows.length - made.length;
  return h(
    'div',
    h('table.stack.acts', h('thead', h('tr', ...head)), h('tbody', ...made)),
    more > 0 ? h('p.sub', fill('and {count} more', language, { count: String(more) })) : undefined,
  );
}

const mostListed = 6;

const listHeads = [
  ['lost', 'Lost', '▼', 'tf'],
  ['won', 'Won', '▲', 'tr'],
  ['rivals', 'Rivals alone', '◆', 'ta'],
] as const;

function listsTree(rows: readonly Fields[], { language, say }: Shown): Tree {
  const lists = listsOf(rows);
  const made = listHeads.map(([name, label, sign, look]) => {
    const items = lists[name].slice(0, mostListed).map((row) => {
      const instead = name === 'won' ? null : row.text('rivals');
      const small = instead === null ? undefined : `${fill(columnOf('rivals').label, language)}: ${instead}`;
      return h('li', row.text('question') ?? '', small === undefined ? undefined : h('small', small));
    });
    const more = lists[name].length - items.length;
    const head = `${say(label)}: ${formatNumber(lists[name].length, language, 0)}`;
    return h(
      'div',
      h('h3', h(`span.${look}`, { 'aria-hidden': 'true' }, `${sign} `), head),
      h('ul.plain-list', ...items, more > 0 ? h('li', `+ ${more}`) : undefined),
    );
  });
  return h('div.lists', ...made);
}
