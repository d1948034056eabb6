// The forms that are drawn, as trees: the same on a page and in a report.
import { currenciesOf, periodsOf } from '../charts/business.ts';
import type { Fields, Form, Matrix, Table } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawColumns } from '../charts/draw-columns.ts';
import { cutText, fill, formatNumber } from '../charts/format.ts';
import { listsOf } from '../charts/questions.ts';
import { fieldsOf, unknownWord } from '../charts/tell.ts';
import { h, pictureTree, type Tree } from '../charts/tree.ts';
import { barsOf, multiplesOf, standingOf, trendOf } from './client-forms.ts';
import { alertsOf, portfolioOf, standingsOf } from './portfolio-forms.ts';
import type { Shown } from './shown.ts';

/** Undefined: it has nothing to show. */
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
} as const;

/** Amounts of two currencies never stand on one axis. */
function columnsOf(rows: readonly Fields[], { language, caption }: Shown): Tree | undefined {
  const drawn = currenciesOf(rows).flatMap((currency) => {
    const picture = drawColumns(periodsOf(rows, currency), language, `${currency}. ${caption}`);
    return picture === undefined ? [] : [h('h3', cutText(currency, 40)), pictureTree(picture)];
  });
  return drawn.length === 0 ? undefined : h('div', ...drawn);
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
