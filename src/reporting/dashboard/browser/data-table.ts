// Figures as a table, a part of the rows at a time.
import type { Chart, Language, Row } from '../charts/chart.ts';
import { formatCell } from '../charts/format.ts';
import { button, element } from './element.ts';

const rowsAtATime = 200;
const numeric = new Set(['number', 'score', 'rate', 'amount', 'level']);

export interface TableTexts {
  readonly caption: string;
  readonly more: string;
  readonly rows: string;
}

/** In a part of the page that scrolls by itself, also by keyboard. */
export function dataTable(
  { columns }: Pick<Chart, 'columns'>,
  rows: readonly Row[],
  language: Language,
  texts: TableTexts,
): HTMLElement {
  const body = element('tbody');
  const head = columns.map(({ kind, label }) =>
    element('th', { scope: 'col', class: numeric.has(kind) ? 'number' : undefined }, label[language]),
  );
  const count = element('p', { class: 'muted', role: 'status' });
  const add = () => {
    const from = body.rows.length;
    body.append(...rows.slice(from, from + rowsAtATime).map((row) => tableRow(row)));
    count.textContent = `${body.rows.length} / ${rows.length} ${texts.rows}`;
    more.hidden = body.rows.length >= rows.length;
  };
  const tableRow = (row: Row) =>
    element(
      'tr',
      {},
      ...columns.map((column, place) => {
        const text = formatCell(row[place] ?? null, column, language);
        const kindOf = numeric.has(column.kind) ? 'number' : undefined;
        return place === 0 && text !== ''
          ? element('th', { scope: 'row', class: kindOf }, text)
          : element('td', { class: kindOf }, text);
      }),
    );
  const more = button(texts.more, add);
  add();
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.caption },
      element(
        'table',
        {},
        element('caption', {}, texts.caption),
        element('thead', {}, element('tr', {}, ...head)),
        body,
      ),
    ),
    count,
    more,
  );
}
