// One chart on the page: its sentence, its picture, and its figures as a table and as CSV.

import type { Chart, ChartData, DrawContext, Drawing, Gaps, Row } from '../charts/chart.ts';
import { beginSentence, formatDate } from '../charts/format.ts';
import { columnLabel, valueWords } from '../charts/unknown.ts';
import { csvText } from '../page/csv-text.ts';
import { narrow } from '../page/narrow.ts';
import { dataTable } from './data-table.ts';
import { button, element, freshId } from './element.ts';
import { drawPicture, whenSeen } from './picture.ts';
import { tileList } from './tile-list.ts';
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

type State = ChartData['state'] | 'no_data_in_period';

export function chartFigure(
  chart: Chart,
  data: ChartData,
  told: Pick<DrawContext, 'markers' | 'changes'>,
  view: View,
): ShownFigure {
  const { language, period, beside, scope } = view;
  const now = narrow(chart, data.rows, [period]);
  const rows = beside === undefined ? now : narrow(chart, data.rows, [period, beside]);
  const context = {
    language,
    palette: view.palette,
    period,
    compare: beside,
    ...told,
    clientKey: scope.clientKey,
    gaps: data.gaps,
  };
  const contextAt = (widthPx: number): DrawContext => ({ ...context, widthPx });
  const state = stateOf(data, now);
  const title = now.length === 0 ? chart.label[language] : titleOf(chart, now, contextAt(800));
  const body = element('div', { class: 'drawing' });
  const id = freshId();
  const figure = element(
    'figure',
    {
      class: 'chart',
      'data-chart': chart.name,
      'data-state': title === undefined ? 'failed' : state,
      'aria-labelledby': id,
    },
    element('h3', { id }, title ?? chart.label[language]),
    meta(chart, data, view),
    body,
  );
  if (title === undefined || now.length === 0) {
    body.append(notice(chart, data, title === undefined ? 'failed' : state, view));
    return { figure, close: () => undefined };
  }
  if (data.missing.length > 0) body.before(partNotice(data, view));
  const closers: (() => void)[] = [];
  const closeDrawings = () => {
    for (const close of closers.splice(0)) close();
  };
  const unit = chart.unit[language];
  const stop = whenSeen(body, (widthPx) => {
    closeDrawings();
    body.replaceChildren();
    for (const drawing of drawingsOf(chart, rows, contextAt(widthPx))) {
      const [place, close] = placeOf(drawing, {
        chart,
        gaps: data.gaps,
        rows,
        view,
        description: `${title}. ${unit}.`,
      });
      // A picture needs the width of the page that it stands in.
      body.append(place);
      closers.push(close());
    }
  });
  if (chart.note !== undefined) figure.append(element('p', { class: 'note' }, chart.note[language]));
  figure.append(figures(chart, data.gaps, rows, title, view));
  return {
    figure,
    close: () => {
      stop();
      closeDrawings();
    },
  };
}

function stateOf(data: ChartData, rows: readonly Row[]): State {
  if (rows.length > 0 || data.state === 'failed') return data.state;
  return data.rows.length > 0 ? 'no_data_in_period' : data.state;
}

/** Undefined: the chart cannot say it, which is a fault of the chart. */
function titleOf(chart: Chart, rows: readonly Row[], context: DrawContext): string | undefined {
  try {
    return chart.title(rows, context);
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

function drawingsOf(chart: Chart, rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  try {
    return chart.draw(rows, context);
  } catch (error) {
    reportError(error);
    return [{ type: 'table' }];
  }
}

interface Shown {
  readonly chart: Chart;
  readonly gaps: Gaps;
  readonly rows: readonly Row[];
  readonly view: View;
  readonly description: string;
}

/** The place, and what fills it once it stands in the page and gives what empties it. */
function placeOf(
  drawing: Drawing,
  { chart, gaps, rows, view, description }: Shown,
): readonly [HTMLElement, () => () => void] {
  const nothing = () => () => undefined;
  if (drawing.type === 'tiles') return [tileList(drawing.tiles, view), nothing];
  if (drawing.type === 'text') return [element('p', { class: 'notice' }, drawing.text), nothing];
  if (drawing.type === 'table') return [tableOf(chart, gaps, rows, description, view), nothing];
  const picture = element('div', { class: 'picture' });
  const { caption } = drawing;
  const place = element(
    'div',
    {},
    caption === undefined ? undefined : element('p', { class: 'caption' }, caption),
    picture,
  );
  const said = caption === undefined ? description : `${caption}. ${description}`;
  return [place, () => drawPicture(picture, drawing, said)];
}

function meta(chart: Chart, data: ChartData, { language, say }: View): HTMLElement {
  const views = chart.views.flatMap((view, place) => [
    ...(place === 0 ? [] : [', ']),
    element('code', {}, view),
  ]);
  const of = data.asOf === null ? [] : [' · ', `${say('dataOf')} ${formatDate(data.asOf, language)}`];
  const parts = [chart.unit[language], ' · ', `${say('source')}: `, ...views, ...of];
  return element('p', { class: 'muted meta' }, ...parts);
}

function notice(chart: Chart, data: ChartData, state: State, { language, say }: View): HTMLElement {
  if (state === 'failed') {
    return element('p', { class: 'notice bad' }, `${say('failed')}. ${say('failedWhy')}`);
  }
  const named = (name: keyof typeof valueWords) => beginSentence(valueWords[name][language]);
  if (state === 'not_given') {
    return element('p', { class: 'notice' }, `${named(state)}. ${say('notGivenWhy')}`);
  }
  if (state === 'not_mapped') {
    const where = element('code', {}, `airank map ${data.missing[0] ?? chart.name}`);
    return element(
      'p',
      { class: 'notice' },
      `${named(state)}. ${say('notMappedWhy')} ${data.missing.join(', ')}. ${say('sayWhere')} `,
      where,
    );
  }
  if (state === 'no_data_in_period') return element('p', { class: 'notice' }, say('noDataInPeriod'));
  return element('p', { class: 'notice' }, `${say('noData')}. ${say('noDataWhy')}`);
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

function tableOf(
  chart: Chart,
  gaps: Gaps,
  rows: readonly Row[],
  caption: string,
  { language, say }: View,
): HTMLElement {
  const columns = chart.columns.map((column, place) => ({
    ...column,
    label: columnLabel(
      column,
      rows.map((row) => row[place] ?? null),
      gaps,
    ),
  }));
  return dataTable({ columns }, rows, language, { caption, more: say('more'), rows: say('rows') });
}

/** The buttons, and the table where it is asked for. */
function figures(chart: Chart, gaps: Gaps, rows: readonly Row[], title: string, view: View): HTMLElement {
  const { language, scope, period, say } = view;
  const id = freshId();
  const place = element('div', { id, hidden: true });
  const toggle = button(
    say('showTable'),
    () => {
      const isShown = place.hidden;
      if (isShown && place.childElementCount === 0)
        // Called otherwise than a table that is the picture itself.
        place.append(
          tableOf(chart, gaps, rows, `${chart.label[language]}: ${title}. ${chart.unit[language]}.`, view),
        );
      place.hidden = !isShown;
      toggle.setAttribute('aria-expanded', String(isShown));
      toggle.firstChild?.replaceWith(isShown ? say('hideTable') : say('showTable'));
    },
    { 'aria-expanded': 'false', 'aria-controls': id, 'data-action': 'table' },
  );
  const named = element('span', { class: 'hidden' }, `: ${chart.label[language]}`);
  const file = `${chart.name}-${scope.clientKey.replace(/[^\p{L}\p{N}]+/gu, '-')}-${period.from}-${period.to}.csv`;
  const csv = button(
    say('asCsv'),
    () => download(file, csvText(chart.columns, rows, language), 'text/csv;charset=utf-8'),
    { 'data-action': 'csv' },
  );
  toggle.append(named);
  csv.append(named.cloneNode(true));
  return element('div', { class: 'figures' }, element('p', { class: 'buttons' }, toggle, csv), place);
}
