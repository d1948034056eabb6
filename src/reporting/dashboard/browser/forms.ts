// The forms of a chart as elements.
import { inLanguage } from '../../../core/api-words.ts';
import { currenciesOf, periodsOf } from '../charts/business.ts';
import type { Fields, Form, Matrix, Opens, Table, Trend } from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawColumns } from '../charts/draw-columns.ts';
import { drawTrend } from '../charts/draw-trend.ts';
import { cutText, formatNumber, formatValue } from '../charts/format.ts';
import { listsOf } from '../charts/questions.ts';
import { fieldsOf, unknownWord } from '../charts/tell.ts';
import { cellContent, clientLink } from './cells.ts';
import { barsOf, multiplesOf, standingOf } from './client-forms.ts';
import { dataTable, type TableColumn, type TableRow } from './data-table.ts';
import { element, pictureElement } from './element.ts';
import { alertsOf, portfolioOf, standingsOf } from './portfolio-forms.ts';
import type { Shown } from './view.ts';

/** Undefined: it has nothing to show. */
export function formElement(form: Form, shown: Shown): Element | undefined {
  if (form.as === 'table') return tableOf(form, shown);
  const rows = fieldsOf(shown.data.columns, shown.rows);
  if (form.as === 'matrix') return matrixOf(form, rows, shown);
  if (form.as !== 'trend' && form.as !== 'bars' && form.as !== 'multiples')
    return ownForms[form.as](rows, shown);
  const drawn =
    form.as === 'trend'
      ? trendOf(form, rows, shown)
      : form.as === 'bars'
        ? barsOf(rows, form, shown)
        : multiplesOf(rows, form, shown);
  if (drawn !== undefined) return drawn;
  const { language } = shown.view;
  const why = unknownWord({ gaps: shown.data.gaps, language }, form.value);
  return element('p', { class: 'notice' }, `${columnOf(form.value).label[language]}: ${why}`);
}

const ownForms = {
  portfolio: portfolioOf,
  standings: standingsOf,
  alerts: alertsOf,
  standing: standingOf,
  columns: columnsOf,
  lists: listsElement,
} as const;

function trendOf(form: Trend, rows: readonly Fields[], { view, context }: Shown): Element | undefined {
  const picture = drawTrend(rows, form, { ...context, language: view.language });
  return picture === undefined ? undefined : pictureElement(picture);
}

/** Amounts of two currencies never stand on one axis. */
function columnsOf(rows: readonly Fields[], { view, context }: Shown): HTMLElement | undefined {
  const drawn = currenciesOf(rows).flatMap((currency) => {
    const label = `${currency}. ${context.label}`;
    const picture = drawColumns(periodsOf(rows, currency), view.language, label);
    return picture === undefined ? [] : [element('h3', {}, cutText(currency, 40)), pictureElement(picture)];
  });
  return drawn.length === 0 ? undefined : element('div', {}, ...drawn);
}

const mostListed = 6;

function listsElement(rows: readonly Fields[], { view }: Shown): HTMLElement {
  const { language, say } = view;
  const lists = listsOf(rows);
  const heads = [
    ['lost', '▼', 'tf'],
    ['won', '▲', 'tr'],
    ['rivals', '◆', 'ta'],
  ] as const;
  const made = heads.map(([name, sign, look]) => {
    const items = lists[name].slice(0, mostListed).map((row) => {
      const instead = row.text('rivals');
      const small =
        name === 'won' || instead === null ? undefined : `${columnOf('rivals').label[language]}: ${instead}`;
      return element(
        'li',
        {},
        row.text('question') ?? '',
        small === undefined ? undefined : element('small', {}, small),
      );
    });
    const more = lists[name].length - items.length;
    return element(
      'div',
      {},
      element(
        'h3',
        {},
        element('span', { class: look, 'aria-hidden': 'true' }, `${sign} `),
        `${say(name)}: ${formatNumber(lists[name].length, language, 0)}`,
      ),
      element('ul', { class: 'plain-list' }, ...items, ...(more > 0 ? [element('li', {}, `+ ${more}`)] : [])),
    );
  });
  return element('div', { class: 'lists' }, ...made);
}

export function tableOf(form: Table, shown: Shown): HTMLElement {
  const { data, rows, view, caption } = shown;
  const { language } = view;
  const other = language === 'en' ? /_es$/ : /_en$/;
  const told = fieldsOf(data.columns, rows);
  // Without what no row has, and without a date that all of them have: it stands below.
  const columns = (form.columns ?? data.columns)
    .filter((name) => columnOf(name).kind !== 'key' && !other.test(name))
    .filter((name) => told.some((row) => row.text(name) !== null))
    .filter((name) => name !== 'run_date' || told.some((row) => row.text(name) !== data.asOf))
    .map((name) => ({ name, kind: columnOf(name).kind, label: columnOf(name).label[language] }));
  const made = told.map(
    (row): TableRow => ({
      values: columns.map(({ name }) => row.text(name)),
      content: (place) => {
        const { name = '', kind = 'text' } = columns[place] ?? {};
        const content = cellContent(row.text(name), kind, language);
        return name === 'client_name'
          ? (clientLink(row.text('client_key'), content, view) ?? content)
          : content;
      },
      ...opener(form.opens, row, shown),
    }),
  );
  return dataTable(columns, made, caption, view);
}

/** The rows of another chart that have the same value, as a table of their own. */
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

const fewAnswers = 20;
const steps = 5;

function matrixOf(form: Matrix, rows: readonly Fields[], shown: Shown): HTMLElement {
  const { view, caption, data } = shown;
  const { language } = view;
  const names = [...new Set(rows.map((row) => row.text(form.column)))].filter((name) => name !== null).sort();
  const byRow = new Map<string, Fields[]>();
  for (const row of rows) {
    const name = row.text(form.row) ?? unknownWord({ gaps: data.gaps, language }, form.row);
    byRow.set(name, [...(byRow.get(name) ?? []), row]);
  }
  const beside = form.beside.filter((name) => rows.some((row) => row.text(name) !== null));
  const [lead, kind] = [columnOf(form.row), columnOf(form.value).kind];
  const columns: TableColumn[] = [
    { kind: lead.kind, label: lead.label[language] },
    ...names.map((name) => ({ kind, label: inLanguage(name, language) })),
    ...beside.map((name) => ({ kind: columnOf(name).kind, label: columnOf(name).label[language] })),
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
        return element(
          'span',
          {},
          content,
          element('span', { class: 'few' }, `n ${formatNumber(count, language, 0)}`),
        );
      },
      classOf: (place) => {
        const value = cells[place - 1]?.number(form.value) ?? null;
        if (place === 0 || place > names.length || kind !== 'rate') return undefined;
        return value === null ? 'share none' : `share s${Math.min(steps - 1, Math.floor(value * steps))}`;
      },
      ...(first !== undefined && opener(form.opens, first, shown)),
    };
  });
  return dataTable(columns, made, caption, view);
}
