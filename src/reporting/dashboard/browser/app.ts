// The app: shows the state that the address has, and changes the address when something is chosen.

import { charts } from '../charts/catalog.ts';
import type { PageName } from '../charts/chart.ts';
import { cutText, formatDate } from '../charts/format.ts';
import { darkPalette, inkOn, lightPalette, type Palette } from '../charts/palette.ts';
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
import { missedText, pageLabels, word } from '../page/page-words.ts';
import { goTo, stateInAddress } from './address.ts';
import { chartFigure } from './chart-figure.ts';
import { type DataSource, type Unreadable, UnreadableError } from './data-source.ts';
import { element } from './element.ts';
import { pageHeader } from './page-header.ts';
import { changesSince, eventList, notHereLine } from './page-parts.ts';
import { sayIn, type View } from './view.ts';

/** How far the data is, in one line above the charts. */
function freshnessStrip(freshness: PageFreshness, { language, overview, scope, say }: View): HTMLElement {
  const { newest, upToDate, stale, failed, neverSynced, missed } = freshness;
  const count = (number: number, name: Parameters<typeof say>[0], kind: string) =>
    number === 0 ? [] : [element('li', { class: kind, 'data-count': kind }, `${number} ${say(name)}`)];
  const readAt = new Date(overview.readAt).toLocaleString(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return element(
    'ul',
    { class: 'freshness', 'data-part': 'freshness' },
    element(
      'li',
      {},
      `${say('newestData')}: ${newest === null ? say('noneYet') : formatDate(newest, language)}`,
    ),
    ...(scope.clientId === ''
      ? []
      : [element('li', { class: 'muted' }, say(scope.leftOn === null ? 'ofClient' : 'ofClientThatLeft'))]),
    ...count(upToDate, 'upToDate', 'good'),
    ...count(stale, 'stale', 'stale'),
    ...count(failed, 'failedSlices', 'bad'),
    ...count(neverSynced, 'neverSynced', 'stale'),
    ...(missed === null ? [] : [element('li', { 'data-part': 'missed' }, missedText(missed, language))]),
    element('li', { class: 'muted' }, `${say('readAt')} ${readAt}`),
  );
}

interface ShownPage {
  readonly state: 'ready' | 'no_client' | Unreadable;
  readonly nodes: readonly Node[];
  close(): void;
}

/** Never rejects: what goes wrong is said on the page. */
async function pageBody(page: PageName, view: View): Promise<ShownPage> {
  let data: PageData;
  try {
    data = await view.source.page(page, view.scope.clientKey, view.period);
  } catch (error) {
    const state = error instanceof UnreadableError ? error.why : 'failed';
    return { state, nodes: [failure(error, state, view)], close: () => undefined };
  }
  const own = chartsOf(charts, page, view.scope.clientId === '');
  const shown = own.flatMap((chart) => {
    const one = data.charts[chart.name];
    return one === undefined || chart.isOpened ? [] : (chartFigure(chart, one, data, view) ?? []);
  });
  // The figure that answers the page's question comes first, and what changed right after it.
  const [first, ...others] = shown.map(({ figure }) => figure);
  return {
    state: 'ready',
    nodes: [
      freshnessStrip(data.freshness, view),
      ...(hasClientsElsewhere(page, view.scope, view.overview.scopes) ? [accountNotice(view)] : []),
      ...[first, page === 'client' ? changesSince(own, data, view) : undefined, ...others]
        .concat(
          own.some(({ forms }) => forms.some(({ as }) => as === 'trend')) ? [eventList(data, view)] : [],
        )
        .concat([notHereLine(own, data, view)])
        .filter((one) => one !== undefined),
    ],
    close: () => {
      for (const { close } of shown) close();
    },
  };
}

function accountNotice({ say }: View): HTMLElement {
  return element('p', { class: 'notice', 'data-part': 'of-account' }, say('ofAccount'));
}

/** Instead of a page: the header offers the clients that there are. */
function noSuchClient({ say }: View): ShownPage {
  const notice = element(
    'p',
    { class: 'notice bad', role: 'alert', 'data-state': 'no_client' },
    say('noSuchClient'),
  );
  return { state: 'no_client', nodes: [notice], close: () => undefined };
}

function failure(error: unknown, why: Unreadable, { say }: View): HTMLElement {
  const text =
    why === 'not_here'
      ? say('notHere')
      : why === 'no_access'
        ? say('noAccess')
        : `${say('pageFailed')}${error instanceof Error && error.message !== '' ? `: ${error.message}` : ''}`;
  return element('p', { class: 'notice bad', role: 'alert', 'data-state': why }, text);
}

/** Light or dark: as the system says, or as chosen. One set of colours for pages and charts. */
const dark = () => matchMedia('(prefers-color-scheme: dark)');

function paletteOf(theme: Theme): Palette {
  return theme === 'dark' || (theme === 'system' && dark().matches) ? darkPalette : lightPalette;
}

/** Gives the style sheet its colours, and with it the pictures. */
function showPalette(palette: Palette): void {
  const root = document.documentElement;
  root.dataset['theme'] = palette === darkPalette ? 'dark' : 'light';
  for (const [name, colour] of coloursOf(palette)) root.style.setProperty(`--${name}`, colour);
  for (const [place, colour] of palette.scale.entries())
    root.style.setProperty(`--ink${place}`, inkOn(colour));
  root.style.colorScheme = palette === darkPalette ? 'dark' : 'light';
}

function coloursOf(palette: Palette): [name: string, colour: string][] {
  return Object.entries(palette).flatMap(([name, colours]) =>
    typeof colours === 'string'
      ? [[name, colours]]
      : colours.map((one: string, place: number) => [`${name}${place}`, one]),
  );
}

/** Colours by their names: a picture takes those of the page, also on paper, which is light. */
const namedPalette: Palette = {
  ...lightPalette,
  ...Object.fromEntries(coloursOf(lightPalette).map(([name]) => [name, `var(--${name})`])),
  series: lightPalette.series.map((_, place) => `var(--series${place})`),
};

export function startApp(place: HTMLElement, source: DataSource, overview: Overview): void {
  const main = element('main', { id: 'main', tabindex: '-1' });
  let shown: ShownPage | undefined;
  /** Of the newest state; an answer for an older one is dropped. */
  let turn = 0;

  const show = async () => {
    turn += 1;
    const mine = turn;
    const view = viewOf(stateInAddress(source.mode));
    showPalette(paletteOf(view?.state.theme ?? 'system'));
    if (view === undefined) {
      const empty = word('nothingPublished', overview.language);
      place.replaceChildren(element('p', { class: 'notice', 'data-state': 'no_data' }, empty));
      return;
    }
    const { language, scope, say } = view;
    const pages = shownPages(charts, scope.clientId === '');
    const page = pages.find((one) => one === view.state.page) ?? pages[0] ?? 'client';
    document.documentElement.lang = language;
    const name = view.isUnknown ? '' : cutText(scope.name, 80);
    document.title = [pageLabels[page][language], ...(name === '' ? [] : [name]), say('title')].join(' · ');
    const focus = document.activeElement?.id ?? '';
    main.setAttribute('aria-busy', 'true');
    place.replaceChildren(pageHeader(page, view), main);
    if (focus !== '') document.getElementById(focus)?.focus();
    const next = view.isUnknown ? noSuchClient(view) : await pageBody(page, view);
    if (mine !== turn) return next.close();
    shown?.close();
    shown = next;
    main.dataset['page'] = page;
    main.dataset['clientKey'] = view.isUnknown ? '' : scope.clientKey;
    main.dataset['state'] = next.state;
    main.removeAttribute('aria-busy');
    // A name that is written from right to left turns nothing else around.
    const whose = name === '' ? [] : [element('bdi', {}, name), ': '];
    const heading = element('h2', {}, ...whose, pageLabels[page][language]);
    main.replaceChildren(heading, ...next.nodes);
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
      palette: namedPalette,
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
  const showTheme = () => showPalette(paletteOf(stateInAddress(source.mode).theme));
  dark().addEventListener('change', showTheme);
  addEventListener('beforeprint', () => showPalette(lightPalette));
  addEventListener('afterprint', showTheme);
  void show();
}
