// Rows as a table that can be sorted by any column, shown in parts, with further rows behind a row.
import type { ColumnKind } from '../charts/columns.ts';
import { classOf, compareValues } from './cells.ts';
import { button, element, freshId } from './element.ts';
import type { View } from './view.ts';

const rowsAtATime = 200;

export interface TableColumn {
  readonly kind: ColumnKind;
  readonly label: string;
}

export interface TableRow {
  readonly values: readonly (string | null)[];
  readonly content: (place: number) => Node | string;
  readonly classOf?: (place: number) => string | undefined;
  /** Makes the part that the first cell opens below the row. */
  readonly opens?: () => Node;
}

/** Makes a table in a part of the page that scrolls by itself, also by keyboard. @param first rows shown at once */
export function dataTable(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  caption: string,
  view: View,
  first = rowsAtATime,
): HTMLElement {
  const { say } = view;
  const body = element('tbody');
  const count = element('p', { class: 'sub', role: 'status' });
  let sorted = rows;
  let shown = 0;
  const add = () => {
    const next = sorted.slice(shown, shown === 0 ? first : shown + rowsAtATime);
    shown += next.length;
    body.append(...next.map((row) => tableRow(row, columns)));
    count.textContent = `${shown} / ${rows.length} ${say('rows')}`;
    more.hidden = shown >= rows.length;
  };
  const more = button(say('Show more rows'), add);
  const sortBy = (place: number, kind: ColumnKind, head: HTMLElement) => {
    const isUp = head.getAttribute('aria-sort') !== 'ascending';
    for (const one of headRow.children) one.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
    sorted = rows.toSorted((a, b) => {
      const [one, other] = [a.values[place] ?? null, b.values[place] ?? null];
      // Unknown values come last in both directions.
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return compareValues(kind, one, other) * (isUp ? 1 : -1);
    });
    const keep = shown;
    body.replaceChildren();
    for (shown = 0; shown < keep; ) add();
  };
  const headRow = element(
    'tr',
    {},
    ...columns.map(({ kind, label }, place) => {
      const head = element('th', { scope: 'col', class: classOf(kind) });
      head.append(button(label, () => sortBy(place, kind, head), { class: 'sort' }));
      return head;
    }),
  );
  add();
  const table = element(
    'table',
    {},
    element('caption', { class: 'vh' }, caption),
    element('thead', {}, headRow),
    body,
  );
  const scroll = element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    table,
  );
  return rows.length <= first ? scroll : element('div', {}, scroll, count, more);
}

function tableRow(row: TableRow, columns: readonly TableColumn[]): HTMLElement {
  const cells = columns.map(({ kind }, place) => {
    const attributes = { class: row.classOf?.(place) ?? classOf(kind) };
    const content = row.content(place);
    return place === 0 && content !== ''
      ? element('th', { scope: 'row', ...attributes }, content)
      : element('td', attributes, content);
  });
  const made = element('tr', {}, ...cells);
  const { opens } = row;
  const [first] = cells;
  if (opens === undefined || first === undefined) return made;
  const id = freshId();
  const toggle = button(
    first.textContent ?? '',
    () => {
      const next = made.nextElementSibling;
      const isOpen = next?.id === id;
      toggle.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) return next.remove();
      made.after(element('tr', { id }, element('td', { colspan: columns.length, class: 'opened' }, opens())));
    },
    { class: 'opens', 'aria-expanded': 'false', 'data-action': 'open' },
  );
  first.replaceChildren(toggle);
  return made;
}
