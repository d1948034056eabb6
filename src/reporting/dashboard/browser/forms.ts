// The forms of a chart as elements. What is drawn needs the width of its place, and is drawn again when that changes.
import { inLanguage } from '../../../core/api-words.ts';
import type {
  Bars,
  ChartData,
  Fields,
  Form,
  Matrix,
  Opens,
  Row,
  Table,
  Tiles,
  Trend,
} from '../charts/chart.ts';
import { columnOf } from '../charts/columns.ts';
import { drawBars } from '../charts/draw-bars.ts';
import { type DrawContext, drawTrend } from '../charts/draw-trend.ts';
import { cutText, formatDate, formatNumber, formatValue } from '../charts/format.ts';
import { columnLabel, fieldsOf, unknownWord } from '../charts/tell.ts';
import { cellContent, clientLink } from './cells.ts';
import { dataTable, type TableColumn, type TableRow } from './data-table.ts';
import { element, pictureElement } from './element.ts';
import type { View } from './view.ts';

export interface Shown {
  readonly data: ChartData;
  readonly rows: readonly Row[];
  /** Says what a table shows. */
  readonly caption: string;
  readonly view: View;
  readonly context: Omit<DrawContext, 'widthPx' | 'palette' | 'language'>;
  /** The charts of the page, for rows that open those of another. */
  readonly others: Readonly<Record<string, ChartData>>;
}

/** @param widthPx of the place in which it will stand */
export function formElement(form: Form, shown: Shown, widthPx: number): HTMLElement | undefined {
  if (form.as === 'table') return tableOf(form, shown);
  const rows = fieldsOf(shown.data.columns, shown.rows);
  if (form.as === 'matrix') return matrixOf(form, rows, shown);
  if (form.as === 'tiles')
    return form.below !== undefined && rows.length >= form.below ? undefined : tilesOf(form, rows, shown);
  return drawnOf(form, rows, shown, widthPx);
}

function drawnOf(
  form: Trend | Bars,
  rows: readonly Fields[],
  { view, context }: Shown,
  widthPx: number,
): HTMLElement {
  const { language, palette } = view;
  const split = form.as === 'trend' ? form.split : undefined;
  const parts = split === undefined ? [''] : [...new Set(rows.map((row) => row.text(split) ?? ''))];
  const drawn = parts.flatMap((part) => {
    const own = split === undefined ? rows : rows.filter((row) => (row.text(split) ?? '') === part);
    const inside = {
      ...context,
      language,
      palette,
      widthPx,
      label: part === '' ? context.label : `${part}. ${context.label}`,
    };
    const picture = form.as === 'trend' ? drawTrend(own, form, inside) : drawBars(own, form, inside);
    if (picture === undefined) return [];
    const caption =
      parts.length === 1 && split !== 'currency_code'
        ? undefined
        : element('p', { class: 'caption' }, cutText(part, 40));
    return [...(part === '' || caption === undefined ? [] : [caption]), pictureElement(picture)];
  });
  if (drawn.length > 0) return element('div', { class: 'picture' }, ...drawn);
  return element(
    'p',
    { class: 'notice' },
    `${columnOf(form.value).label[language]}: ${unknownWord({ gaps: {}, language }, form.value)}`,
  );
}

export function tableOf(form: Table, shown: Shown): HTMLElement {
  const { data, rows, view, caption } = shown;
  const { language } = view;
  const other = language === 'en' ? /_es$/ : /_en$/;
  const shownNames = (form.columns ?? data.columns).filter(
    (name) => columnOf(name).kind !== 'key' && !other.test(name),
  );
  const columns = shownNames.map((name) => {
    const { kind, label } = columnOf(name);
    const values = fieldsOf(data.columns, rows).map((row) => row.text(name));
    return { kind, label: columnLabel(label, name, values, data.gaps)[language], name };
  });
  const made = fieldsOf(data.columns, rows).map(
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

function tilesOf({ of, figures }: Tiles, rows: readonly Fields[], { view, data }: Shown): HTMLElement {
  const { language, say } = view;
  const value = (row: Fields, name: string | undefined) => (name === undefined ? null : row.text(name));
  const written = (row: Fields, name: string | undefined) =>
    name === undefined ? '' : formatValue(value(row, name), columnOf(name).kind, language);
  const parts = (row: Fields, figure: Tiles['figures'][number], label: string | undefined) => {
    const since = value(row, figure.since);
    const verdict = value(row, figure.verdict);
    const [low, high] = [written(row, figure.low), written(row, figure.high)];
    const text = figure.text === undefined ? null : row.text(figure.text.replace(/_en$/, `_${language}`));
    const small = [
      ...(text === null ? [] : [cutText(text, 160)]),
      ...(low === '' || high === '' ? [] : [`${low} – ${high}`]),
      ...(figure.change === undefined || value(row, figure.change) === null
        ? []
        : [written(row, figure.change)]),
      ...(since === null ? [] : [`${say('since')} ${formatDate(since, language)}`]),
    ];
    const known = value(row, figure.value) !== null;
    return [
      ...(label === undefined ? [] : [element('span', { class: 'tile-label' }, label)]),
      element(
        'span',
        { class: 'tile-value' },
        known ? written(row, figure.value) : unknownWord({ gaps: data.gaps, language }, figure.value),
      ),
      ...(verdict === null ? [] : [cellContent(verdict, 'verdict', language)]),
      ...(small.length === 0 ? [] : [element('span', { class: 'tile-note' }, small.join(' · '))]),
    ];
  };
  const tile = (content: readonly (Node | string)[]) => element('div', { class: 'tile' }, ...content);
  const made = rows.flatMap((row) => {
    const each = figures.map((figure) => parts(row, figure, columnOf(figure.value).label[language]));
    if (of === undefined) return each.map(tile);
    const name = row.text(of) ?? '';
    const head = element('span', { class: 'tile-name' }, name);
    return [
      tile([
        clientLink(row.text('client_key'), head, view) ?? head,
        ...each.map((one) => element('div', { class: 'tile-part' }, ...one)),
      ]),
    ];
  });
  return element('ul', { class: 'tiles' }, ...made.map((one) => element('li', { class: 'tile-place' }, one)));
}
