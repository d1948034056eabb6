// One chart on the page: its finding, its forms, and its figures as a table and as CSV.
import { charts as catalog } from '../charts/catalog.ts';
import type { Chart, ChartData, Telling } from '../charts/chart.ts';
import { fill, formatDate } from '../charts/format.ts';
import { fieldsOf, titleOf } from '../charts/tell.ts';
import { h, type Tree } from '../charts/tree.ts';
import { cardHead } from '../page/card.ts';
import { csvText } from '../page/csv-text.ts';
import { narrow } from '../page/narrow.ts';
import type { PageData } from '../page/page-data.ts';
import { addressOf } from './address.ts';
import { button, element, freshId } from './element.ts';
import { formElement, tableOf } from './forms.ts';
import type { Shown, View } from './view.ts';

function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Waits until the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Undefined if there is nothing to show and nothing failed; the foot of the page says why. */
export function chartFigure(chart: Chart, page: PageData, view: View): HTMLElement | undefined {
  const data = page.charts[chart.rowsOf ?? chart.name];
  if (data === undefined) return undefined;
  const { language, period } = view;
  const rows = narrow(chart, data, period);
  const isFailed = data.state === 'failed';
  if (rows.length === 0 && !isFailed) return undefined;
  const title = isFailed
    ? undefined
    : sentence(() => titleOf(chart, data, rows, tellingOf(chart, page, view)));
  const id = freshId();
  const attributes = {
    class: ['card', ...(chart.place === undefined ? [] : [chart.place])].join(' '),
    'data-chart': chart.name,
    'data-state': title === undefined ? 'failed' : data.state,
    'aria-labelledby': id,
  };
  if (title === undefined) {
    const why = h(
      'p.notice.bad',
      `${view.say('Failed')}. ${view.say('The figures of this chart could not be read. The others are not affected.')}`,
    );
    return element('figure', attributes, cardHead(chart, fill(chart.label, language), language, id), why);
  }
  const caption = `${fill(chart.label, language)}: ${title}. ${fill(chart.unit, language)}.`;
  const { say } = view;
  const told = { data, rows, caption, language, period, markers: page.markers, others: page.charts, say };
  const shown: Shown = { ...told, view, addressOf: (key) => clientAddress(key, view) };
  return element(
    'figure',
    attributes,
    cardHead(chart, title, language, id),
    data.missing.length > 0 ? partNotice(data, view) : undefined,
    ...chart.forms.flatMap((form) => formElement(form, shown) ?? []),
    chart.note === undefined ? undefined : h('p.sub', fill(chart.note, language)),
    // The figures of another chart's rows stand there.
    chart.rowsOf === undefined ? figures(chart, shown) : undefined,
  );
}

/** Returns the address of a client's page; undefined if it is not here. */
function clientAddress(clientKey: string, { overview, state, source }: View): string | undefined {
  const isHere = overview.scopes.some((scope) => scope.clientKey === clientKey);
  return isHere ? addressOf({ ...state, clientKey, page: 'client' }, source.mode) : undefined;
}

/** Takes all dates that were read if rows have no date column. */
export function tellingOf(chart: Chart, { charts, period }: PageData, view: View): Omit<Telling, 'gaps'> {
  const beside = (name: string) => {
    const data = charts[name];
    return data === undefined ? [] : fieldsOf(data.columns, data.rows);
  };
  return { language: view.language, period: chart.dateColumn === undefined ? period : view.period, beside };
}

/** Undefined if the chart's own code fails to say it. */
function sentence(say: () => string): string | undefined {
  try {
    return say();
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

function partNotice({ missing }: ChartData, { say }: View): Tree {
  const said = `${say('Not shown, because not mapped:')} ${missing.join(', ')}. ${say('Say where they are:')} `;
  return h('p.sub', said, h('code', `airank map ${missing[0] ?? ''}`));
}

/** Shows the figures: their source, as CSV, and as a table made on demand. */
function figures(chart: Chart, shown: Shown): HTMLElement {
  const { view, data, rows, caption, others, language, period, say } = shown;
  const { scope } = view;
  const drawn = [
    { one: chart, own: data, ownRows: rows, said: caption },
    ...catalog.flatMap((one) => {
      const own = chart.draws?.includes(one.name) === true ? others[one.name] : undefined;
      return own === undefined
        ? []
        : [{ one, own, ownRows: narrow(one, own, period), said: fill(one.label, language) }];
    }),
  ];
  const origin = ({ one, own, ownRows }: (typeof drawn)[number]) => {
    const file = `${one.name}-${scope.clientKey.replace(/[^\p{L}\p{N}]+/gu, '-')}-${period.from}-${period.to}.csv`;
    const save = () => download(file, csvText(own.columns, ownRows, language), 'text/csv;charset=utf-8');
    const csv = button(say('CSV'), save, { 'data-action': 'csv' });
    csv.append(element('span', { class: 'vh' }, `: ${fill(one.label, language)}`));
    const of = own.asOf === null ? '' : `, ${say('data of')} ${formatDate(own.asOf, language)}`;
    return element('p', { class: 'sub' }, `${say('Read from')} ${own.views.join(', ')}${of} · `, csv);
  };
  if (chart.forms.some(({ as }) => as === 'table'))
    return element('div', { class: 'figs' }, ...drawn.map(origin));
  const summary = element('summary', { 'data-action': 'table' }, say('Figures'));
  summary.append(element('span', { class: 'vh' }, `: ${fill(chart.label, language)}`));
  const made = element('details', { class: 'figs' }, summary);
  summary.addEventListener('click', () => {
    if (made.childElementCount > 1) return;
    for (const each of drawn) {
      const { own, ownRows, said } = each;
      const table = tableOf(
        { as: 'table' },
        { ...shown, data: own, rows: ownRows, caption: `${said} ${say('rows')}` },
      );
      made.append(table, origin(each));
    }
  });
  return made;
}
