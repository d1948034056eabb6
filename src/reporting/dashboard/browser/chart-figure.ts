// One chart on the page: its sentence, its forms, and its figures as a table and as CSV.
import type { Chart, ChartData, Marker, Row } from '../charts/chart.ts';
import { formatDate } from '../charts/format.ts';
import { titleOf } from '../charts/tell.ts';
import { csvText } from '../page/csv-text.ts';
import { narrow } from '../page/narrow.ts';
import { button, element, freshId } from './element.ts';
import { formElement, type Shown, tableOf } from './forms.ts';
import type { View } from './view.ts';

/** Hands a text to the reader as a file. */
function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export interface ShownFigure {
  readonly figure: HTMLElement;
  /** Ends what draws it. */
  close(): void;
}

/** Undefined: nothing to show, and nothing that failed; the foot of the page says why. */
export function chartFigure(
  chart: Chart,
  data: ChartData,
  page: {
    readonly markers: readonly Marker[];
    readonly charts: Readonly<Record<string, ChartData>>;
    readonly period: View['period'];
  },
  view: View,
): ShownFigure | undefined {
  const { language, period } = view;
  const rows = narrow(chart, data, period);
  const isFailed = data.state === 'failed';
  if (rows.length === 0 && !isFailed) return undefined;
  // What no date narrows is of all dates that were read.
  const of = chart.dateColumn === undefined ? page.period : period;
  const title = isFailed ? undefined : sentence(() => titleOf(chart, data, rows, { language, period: of }));
  const body = element('div', { class: 'drawing' });
  const id = freshId();
  const attributes = {
    class: 'chart',
    'data-chart': chart.name,
    'data-state': title === undefined ? 'failed' : data.state,
  };
  const head = element('h3', { id }, element('span', { class: 'label' }, chart.label[language]), title ?? '');
  const figure = element(
    'figure',
    { ...attributes, 'aria-labelledby': id },
    head,
    meta(chart, data, view),
    body,
  );
  if (title === undefined) {
    body.append(element('p', { class: 'notice bad' }, `${view.say('failed')}. ${view.say('failedWhy')}`));
    return { figure, close: () => undefined };
  }
  if (data.missing.length > 0) body.before(partNotice(data, view));
  const caption = `${chart.label[language]}: ${title}. ${chart.unit[language]}.`;
  const context = { period, markers: page.markers, label: caption };
  const shown: Shown = { data, rows, caption, view, context, others: page.charts };
  const close = atEachWidth(body, (widthPx) => {
    body.replaceChildren(...chart.forms.flatMap((form) => formElement(form, shown, widthPx) ?? []));
  });
  if (chart.note !== undefined) figure.append(element('p', { class: 'note' }, chart.note[language]));
  figure.append(figures(chart, shown));
  return { figure, close };
}

/** Undefined: the chart cannot say it, which is a fault of the chart. */
function sentence(say: () => string): string | undefined {
  try {
    return say();
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

/** Once it stands in the page, and whenever its width is another. @returns what ends it */
function atEachWidth(place: HTMLElement, draw: (widthPx: number) => void): () => void {
  let drawnAt = 0;
  const sized = new ResizeObserver(() => {
    const widthPx = Math.floor(place.clientWidth);
    // Paper has the width of the screen before it: pictures scale.
    if (widthPx === 0 || widthPx === drawnAt || matchMedia('print').matches) return;
    // Tables keep what was sorted and opened.
    if (drawnAt !== 0 && place.querySelector('svg:not(.line)') === null) return;
    drawnAt = widthPx;
    draw(widthPx);
  });
  sized.observe(place);
  return () => sized.disconnect();
}

function meta(chart: Chart, data: ChartData, { language, say }: View): HTMLElement {
  const views = data.views.flatMap((view, place) => [
    ...(place === 0 ? [] : [', ']),
    element('code', {}, view),
  ]);
  const of = data.asOf === null ? [] : [' · ', `${say('dataOf')} ${formatDate(data.asOf, language)}`];
  const parts = [chart.unit[language], ' · ', `${say('source')}: `, ...views, ...of];
  return element('p', { class: 'muted meta' }, ...parts);
}

function partNotice({ missing }: ChartData, { say }: View): HTMLElement {
  const where = element('code', {}, `airank map ${missing[0] ?? ''}`);
  return element(
    'p',
    { class: 'note' },
    `${say('notMappedPart')} ${missing.join(', ')}. ${say('sayWhere')} `,
    where,
  );
}

/** The buttons, and the table where it is asked for and not there anyway. */
function figures(chart: Chart, shown: Shown): HTMLElement {
  const { view, data, rows, caption } = shown;
  const { language, scope, period, say } = view;
  const named = element('span', { class: 'hidden' }, `: ${chart.label[language]}`);
  const file = `${chart.name}-${scope.clientKey.replace(/[^\p{L}\p{N}]+/gu, '-')}-${period.from}-${period.to}.csv`;
  const save = () =>
    download(file, csvText(data.columns, rows as readonly Row[], language), 'text/csv;charset=utf-8');
  const csv = button(say('asCsv'), save, { 'data-action': 'csv' });
  csv.append(named.cloneNode(true));
  if (chart.forms.some(({ as }) => as === 'table'))
    return element('div', { class: 'figures' }, element('p', { class: 'buttons' }, csv));
  const id = freshId();
  const place = element('div', { id, hidden: true });
  const toggle = button(
    say('showTable'),
    () => {
      const isShown = place.hidden;
      if (isShown && place.childElementCount === 0)
        place.append(tableOf({ as: 'table' }, { ...shown, caption: `${caption} ${say('rows')}` }));
      place.hidden = !isShown;
      toggle.setAttribute('aria-expanded', String(isShown));
      toggle.firstChild?.replaceWith(isShown ? say('hideTable') : say('showTable'));
    },
    { 'aria-expanded': 'false', 'aria-controls': id, 'data-action': 'table' },
  );
  toggle.append(named);
  return element('div', { class: 'figures' }, element('p', { class: 'buttons' }, toggle, csv), place);
}
