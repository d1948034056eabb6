// The app: shows the state in the address, and changes the address when something is chosen.

import { cutText } from '../../../core/text.ts';
import { charts } from '../charts/catalog.ts';
import type { Chart, PageName } from '../charts/chart.ts';
import { fill, formatDate } from '../charts/format.ts';
import { fieldsOf, valueWords } from '../charts/tell.ts';
import { h, type Tree } from '../charts/tree.ts';
import { eventList } from '../page/event-list.ts';
import { narrow } from '../page/narrow.ts';
import type { Overview, PageData, PageFreshness } from '../page/page-data.ts';
import {
  chartsOf,
  chosenPeriod,
  hasClientsElsewhere,
  type PageState,
  scopeInAddress,
  shownPages,
  type Theme,
} from '../page/page-state.ts';
import { missedText, pageLabels, sayIn } from '../page/page-words.ts';
import { goTo, stateInAddress } from './address.ts';
import { chartFigure, tellingOf } from './chart-figure.ts';
import { type DataSource, type Unreadable, UnreadableError } from './data-source.ts';
import { element } from './element.ts';
import { pageHeader } from './page-header.ts';
import type { View } from './view.ts';

/** Tells in one line below the heading how current the data is. */
function freshnessLine(freshness: PageFreshness, { language, overview, scope, say }: View): HTMLElement {
  const { newest, upToDate, stale, failed, neverSynced, missed } = freshness;
  const count = (number: number, name: Parameters<typeof say>[0], kind: string) =>
    number === 0 ? [] : [h('span', { 'data-count': kind }, `${number} ${say(name)}`)];
  const readAt = new Date(overview.readAt).toLocaleString(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const parts = [
    // A finding may name nobody.
    ...(scope.clientId === '' ? [] : [h('bdi', scope.name)]),
    element(
      'span',
      {},
      `${say('Newest data')}: ${newest === null ? say('none yet') : formatDate(newest, language)}`,
    ),
    ...(scope.clientId === ''
      ? []
      : [
          h(
            'span',
            say(
              scope.leftOn === null
                ? 'Routes of this client and its account'
                : 'Routes of this client as they were when it left',
            ),
          ),
        ]),
    ...count(upToDate, 'up to date', 'good'),
    ...count(stale, 'stale', 'stale'),
    ...count(failed, 'failed', 'bad'),
    ...count(neverSynced, 'never synced', 'stale'),
    ...(missed === null ? [] : [h('span', { 'data-part': 'missed' }, missedText(missed, language))]),
    h('span', `${say('read')} ${readAt}`),
  ];
  const joined = parts.flatMap((part, place) => (place === 0 ? [part] : [' · ', part]));
  return element('p', { class: 'meta', 'data-part': 'freshness' }, ...joined);
}

interface ShownPage {
  readonly state: 'ready' | 'no_client' | Unreadable;
  readonly nodes: readonly Node[];
}

/** Never rejects; errors are told on the page. */
async function pageBody(page: PageName, view: View): Promise<ShownPage> {
  let data: PageData;
  try {
    data = await view.source.page(page, view.scope.clientKey, view.period);
  } catch (error) {
    const state = error instanceof UnreadableError ? error.why : 'failed';
    return {
      state,
      nodes: [element('div', { class: 'head' }, heading(page, view)), failure(error, state, view)],
    };
  }
  const own = chartsOf(charts, page, view.scope.clientId === '');
  const drawn = own.flatMap(({ draws = [] }) => draws);
  const cards = own.flatMap((chart) =>
    chart.isOpened || drawn.includes(chart.name) ? [] : (chartFigure(chart, data, view) ?? []),
  );
  return {
    state: 'ready',
    nodes: [
      element('div', { class: 'head' }, heading(page, view, data), freshnessLine(data.freshness, view)),
      ...(hasClientsElsewhere(page, view.scope, view.overview.scopes) ? [accountNotice(view)] : []),
      element(
        'div',
        { class: 'grid' },
        ...cards,
        page === 'client'
          ? eventList(data.charts['rank-trend'], { ...view, markers: data.markers })
          : undefined,
      ),
      ...[notHereLine(own, data, view)].filter((one) => one !== undefined),
    ],
  };
}

/** Tells in one line what this account has no data for, and why. */
function notHereLine(charts: readonly Chart[], data: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const said = charts.flatMap((chart) => {
    const own = data.charts[chart.name];
    if (
      own === undefined ||
      own.state === 'failed' ||
      chart.isOpened ||
      chart.rowsOf !== undefined ||
      narrow(chart, own, period).length > 0
    )
      return [];
    const why =
      own.rows.length > 0
        ? say('No data in this period')
        : own.state === 'not_given' || own.state === 'not_mapped' || own.state === 'of_account'
          ? fill(valueWords[own.state], language)
          : say('No data');
    const where = own.state === 'not_mapped' ? `; airank map ${own.missing[0] ?? ''}` : '';
    return [`${fill(chart.label, language)} (${why.toLowerCase()}${where})`];
  });
  return said.length === 0
    ? undefined
    : element('footer', { 'data-part': 'not-here' }, `${say('Not here')}: ${said.join(', ')}.`);
}

/** Shows the finding of the page, or else the name of its client or account. */
function heading(page: PageName, view: View, data?: PageData): Tree {
  for (const chart of chartsOf(charts, page, view.scope.clientId === '')) {
    const told = data?.charts[chart.rowsOf ?? chart.name];
    if (chart.headline === undefined || data === undefined || told === undefined) continue;
    const rows = fieldsOf(told.columns, narrow(chart, told, view.period));
    const telling = { ...tellingOf(chart, data, view), gaps: told.gaps };
    if (rows.length > 0) return h('h1', capital(chart.headline(rows, telling)));
  }
  // Isolates a right-to-left name, so that the text around it keeps its direction.
  const whose = view.isUnknown ? [] : [h('bdi', cutText(view.scope.name, 80)), ': '];
  return h('h1', ...whose, fill(pageLabels[page], view.language));
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function accountNotice({ say }: View): HTMLElement {
  return element(
    'p',
    { class: 'notice', 'data-part': 'of-account' },
    say(
      'Data of the account that does not say which client it is about, so it belongs to the whole account. Data that is known to be of a client is on the page of that client.',
    ),
  );
}

/** Replaces a page for an unknown client; the header offers the known ones. */
function noSuchClient({ say }: View): ShownPage {
  const notice = element(
    'p',
    { class: 'notice bad', role: 'alert', 'data-state': 'no_client' },
    say('There is no such client here. Choose one above.'),
  );
  return { state: 'no_client', nodes: [notice] };
}

function failure(error: unknown, why: Unreadable, { say }: View): HTMLElement {
  const text =
    why === 'not_here'
      ? say('The figures of this client are not in this file.')
      : why === 'no_access'
        ? say('Open the address that airank dashboard --serve printed: each start has its own.')
        : `${say('This page could not be read')}${error instanceof Error && error.message !== '' ? `: ${error.message}` : ''}`;
  return element('p', { class: 'notice bad', role: 'alert', 'data-state': why }, text);
}

/** Sets light or dark as chosen; otherwise the style sheet asks the system. */
function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function startApp(place: HTMLElement, source: DataSource, overview: Overview): void {
  const main = element('main', { id: 'main', class: 'wrap', tabindex: '-1' });
  /** Counts states, so that an answer for an older one is dropped. */
  let turn = 0;

  const show = async () => {
    turn += 1;
    const mine = turn;
    const view = viewOf(stateInAddress(source.mode));
    showTheme(view?.state.theme ?? 'system');
    if (view === undefined) {
      const empty = fill('Nothing is published yet. Run: airank sync', overview.language);
      place.replaceChildren(element('p', { class: 'notice', 'data-state': 'no_data' }, empty));
      return;
    }
    const { language, scope, say } = view;
    const pages = shownPages(charts, scope.clientId === '');
    const page = pages.find((one) => one === view.state.page) ?? pages[0] ?? 'client';
    document.documentElement.lang = language;
    const name = view.isUnknown ? '' : cutText(scope.name, 80);
    document.title = [
      fill(pageLabels[page], language),
      ...(name === '' ? [] : [name]),
      say('AI visibility'),
    ].join(' · ');
    const focus = document.activeElement?.id ?? '';
    main.setAttribute('aria-busy', 'true');
    place.replaceChildren(pageHeader(page, view), main);
    if (focus !== '') document.getElementById(focus)?.focus();
    const next = view.isUnknown ? noSuchClient(view) : await pageBody(page, view);
    if (mine !== turn) return;
    main.dataset['page'] = page;
    main.dataset['clientKey'] = view.isUnknown ? '' : scope.clientKey;
    main.dataset['state'] = next.state;
    main.removeAttribute('aria-busy');
    const head = view.isUnknown ? [element('div', { class: 'head' }, heading(page, view))] : [];
    main.replaceChildren(...head, ...next.nodes);
  };

  const viewOf = (state: PageState): View | undefined => {
    const asked = scopeInAddress(overview.scopes, state.clientKey);
    if (asked === undefined || overview.dates === undefined) return undefined;
    const language = state.language ?? overview.language;
    const period = chosenPeriod(state.span, overview.dates);
    return {
      source,
      overview,
      state,
      ...asked,
      language,
      period,
      go: (change) => {
        const next = { ...state, ...change };
        const isElsewhere = next.page !== state.page || next.clientKey !== state.clientKey;
        goTo(next, source.mode);
        void show();
        if (isElsewhere) scrollTo(0, 0);
      },
      say: sayIn(language),
    };
  };

  addEventListener('popstate', () => void show());
  // Handles only links to states of this page; the browser opens those for another tab or window.
  place.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!/^[?#]/.test(href) || href === '#main' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', href);
    void show();
    scrollTo(0, 0);
  });
  void show();
}
