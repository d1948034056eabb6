// The app: shows the state that the address has, and changes the address when something is chosen.
import { charts } from '../charts/catalog.ts';
import { cutText } from '../charts/cut-text.ts';
import { chosenPeriod, periodBeside } from '../page/chosen-period.ts';
import type { Overview } from '../page/page-data.ts';
import type { PageState } from '../page/page-state.ts';
import { pageLabels, word } from '../page/page-words.ts';
import { scopeInAddress } from '../page/scope-in-address.ts';
import { shownPages } from '../page/shown-pages.ts';
import { goTo, stateInAddress } from './address.ts';
import type { DataSource } from './data-source.ts';
import { element } from './element.ts';
import { noSuchClient, pageBody, type ShownPage } from './page-body.ts';
import { pageHeader } from './page-header.ts';
import { onSystemTheme, paletteOf, showPalette } from './theme.ts';
import { sayIn, type View } from './view.ts';

export function startApp(place: HTMLElement, source: DataSource, overview: Overview): void {
  const main = element('main', { id: 'main', tabindex: '-1' });
  let shown: ShownPage | undefined;
  /** Of the newest state; an answer for an older one is dropped. */
  let turn = 0;

  const show = async () => {
    turn += 1;
    const mine = turn;
    const view = viewOf(stateInAddress(source.mode));
    showPalette(view?.palette ?? paletteOf('system'));
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
      palette: paletteOf(state.theme),
      period,
      beside: periodBeside(period, state.compare),
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
  onSystemTheme(() => void show());
  void show();
}
