// The forms of a chart as elements.
import { inLanguage } from '../../../core/api-words.ts';
import type { Fields, Form, Matrix, Opens, Table } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { fill, formatNumber, formatValue } from '../charts/format.ts';
import { fieldsOf, unknownWord } from '../charts/tell.ts';
import { h } from '../charts/tree.ts';
import { formTree } from '../page/form-tree.ts';
import { cellContent } from './cells.ts';
import { dataTable, type TableColumn, type TableRow } from './data-table.ts';
import { element, treeElement } from './element.ts';
import type { Shown } from './view.ts';

/** Undefined if it has nothing to show. */
export function formElement(form: Form, shown: Shown): Element | undefined {
  if (form.as === 'table') return tableOf(form, shown);
  if (form.as === 'matrix') return matrixOf(form, fieldsOf(shown.data.columns, shown.rows), shown);
  const tree = formTree(form, shown);
  return tree && treeElement(tree);
}

export function tableOf(form: Table, shown: Shown): HTMLElement {
  const { data, rows, language, caption, view } = shown;
  const other = language === 'en' ? /_es$/ : /_en$/;
  const told = fieldsOf(data.columns, rows);
  // Leaves out columns that are empty in all rows, and a date that all rows share: it stands below.
  const columns = (form.columns ?? data.columns)
    .filter((name) => columnOf(name).kind !== 'key' && !other.test(name))
    .filter((name) => told.some((row) => row.text(name) !== null))
    .filter((name) => name !== 'run_date' || told.some((row) => row.text(name) !== data.asOf))
    .map((name) => ({ name, kind: columnOf(name).kind, label: fill(columnOf(name).label, language) }));
  const made = told.map(
    (row): TableRow => ({
      values: columns.map(({ name }) => row.text(name)),
      content: (place) => {
        const { name = '', kind = 'text' } = columns[place] ?? {};
        return cellContent(row.text(name), kind, language);
      },
    }),
  );
  return dataTable(columns, made, caption, view);
}

/** Shows the rows of another chart with the same value, as a table of their own. */
function opener(opens: Opens | undefined, row: Fields, shown: Shown): Pick<TableRow, 'opens'> {
  const data = opens === undefined ? undefined : shown.others[opens.chart];
  const value = row.text(opens?.by ?? '');
  if (opens === undefined || data === undefined || value === null) return {};
  const place = data.columns.indexOf(opens.by);
  const rows = data.rows.filter((one) => one[place] === value);
  if (rows.length === 0) return {};
  const columns = data.columns.filter((name) => name !== opens.by);
  return { opens: () => tableOf({ as: 'table', columns }, { ...shown, data, rows, caption: value }) };
}

/** Rows shown first, if the list has more than twice as many; one click shows the others. */
const firstRows = 25;
const fewAnswers = 20;
const steps = 5;

function matrixOf(form: Matrix, rows: readonly Fields[], shown: Shown): HTMLElement {
  const { view, caption, data, language } = shown;
  const names = [...new Set(rows.map((row) => row.text(form.column)))].filter((name) => name !== null).sort();
  const byRow = new Map<string, Fields[]>();
  for (const row of rows) {
    const name = row.text(form.row) ?? unknownWord({ gaps: data.gaps, language }, form.row);
    byRow.set(name, [...(byRow.get(name) ?? []), row]);
  }
  const beside = form.beside.filter((name) => rows.some((row) => row.text(name) !== null));
  const [lead, kind] = [columnOf(form.row), columnOf(form.value).kind];
  const columns: TableColumn[] = [
    { kind: lead.kind, label: fill(lead.label, language) },
    ...names.map((name) => ({ kind, label: inLanguage(name, language) })),
    ...beside.map((name) => ({ kind: columnOf(name).kind, label: fill(columnOf(name).label, language) })),
  ];
  const made = [...byRow].map(([name, own]): TableRow => {
    const [first] = own;
    const cells = names.map((column) => own.find((row) => row.text(form.column) === column));
    const values = [
      name,
      ...cells.map((cell) => cell?.text(form.value) ?? null),
      ...beside.map((one) => first?.text(one) ?? null),
    ];
    return {
      values,
      content: (place) => {
        const cell = cells[place - 1];
        const value = values[place] ?? null;
        const content = cellContent(value, columns[place]?.kind ?? 'text', language);
        const count = cell?.number(form.count ?? '') ?? null;
        if (place === 0) return formatValue(name, lead.kind, language);
        if (place > names.length || value === null || count === null || count >= fewAnswers) return content;
        return element('span', {}, content, h('span.few', `n ${formatNumber(count, language, 0)}`));
      },
      classOf: (place) => {
        const value = cells[place - 1]?.number(form.value) ?? null;
        if (place === 0 || place > names.length || kind !== 'rate') return undefined;
        return value === null ? 'share none' : `share s${Math.min(steps - 1, Math.floor(value * steps))}`;
      },
      ...(first !== undefined && opener(form.opens, first, shown)),
    };
  });
  return dataTable(columns, made, caption, view, made.length > 2 * firstRows ? firstRows : undefined);
}
