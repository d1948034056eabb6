// Above every page: title, what is chosen, and the way to the other pages.

import { charts } from '../charts/catalog.ts';
import type { Language, PageName } from '../charts/chart.ts';
import type { PageScope } from '../page/page-data.ts';
import { offeredSpans, type Span, shownPages, type Theme, themes } from '../page/page-state.ts';
import { pageLabels, spanLabels, themeLabels } from '../page/page-words.ts';
import { addressOf } from './address.ts';
import { clientChooser } from './client-chooser.ts';
import { element } from './element.ts';
import { dateField, selectField } from './fields.ts';
import type { View } from './view.ts';

export function pageHeader(page: PageName, view: View): HTMLElement {
  return element(
    'header',
    {},
    skipLink(view),
    element('h1', {}, view.say('title')),
    element('div', { class: 'controls' }, ...scopeFields(view), ...periodFields(view), ...lookFields(view)),
    navigation(page, view),
  );
}

/** The fragment of a file is its state: the link goes there without it. */
function skipLink({ say }: View): HTMLElement {
  const link = element('a', { class: 'skip', href: '#main' }, say('skip'));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  });
  return link;
}

function scopeFields(view: View): HTMLElement[] {
  const { overview, scope, say } = view;
  const accounts = [...new Set(overview.scopes.map(({ account }) => account))];
  const own = overview.scopes.filter(({ account }) => account === scope.account);
  const nameOf = (one: PageScope) =>
    one.clientId === ''
      ? `${say('wholeAccount')} (${one.name})`
      : `${one.name}${one.leftOn === null ? '' : ` (${say('left')})`}`;
  const choices = accounts.map((value) => ({ value, label: value }));
  const toAccount = (account: string) =>
    view.go({
      clientKey: overview.scopes.find((one) => one.account === account)?.clientKey,
      page: undefined,
    });
  return [
    ...(accounts.length > 1
      ? [selectField('account', say('account'), choices, scope.account, toAccount)]
      : []),
    clientChooser({
      label: say('client'),
      noMatch: say('noMatch'),
      scopes: own,
      chosen: view.isUnknown ? undefined : scope,
      nameOf,
      onChange: (clientKey) => view.go({ clientKey }),
    }),
  ];
}

function periodFields({ state, period, overview, language, say, go }: View): HTMLElement[] {
  const isOwn = typeof state.span === 'object';
  const spans = overview.dates === undefined ? [] : offeredSpans(overview.dates);
  // What an address asks for stays to be seen.
  const shown = isOwn || spans.includes(state.span as Span) ? spans : [...spans, state.span as Span];
  const choices = [...shown, 'own' as const].map((value) => ({ value, label: spanLabels[value][language] }));
  const set = (from: string, to: string) => go({ span: from <= to ? { from, to } : { from: to, to: from } });
  const select = selectField('period', say('period'), choices, isOwn ? 'own' : String(state.span), (value) =>
    go({ span: value === 'own' ? period : (value as Span) }),
  );
  return [
    select,
    ...(isOwn
      ? [
          dateField('from', say('from'), period.from, (from) => set(from, period.to)),
          dateField('to', say('to'), period.to, (to) => set(period.from, to)),
        ]
      : []),
  ];
}

function lookFields({ state, language, say, go }: View): HTMLElement[] {
  const languages = [
    { value: 'en', label: 'English' },
    { value: 'es', label: 'Español' },
  ];
  const colours = themes.map((value) => ({ value, label: themeLabels[value][language] }));
  return [
    selectField('language', say('language'), languages, language, (value) =>
      go({ language: value as Language }),
    ),
    selectField('theme', say('theme'), colours, state.theme, (value) => go({ theme: value as Theme })),
  ];
}

function navigation(page: PageName, view: View): HTMLElement {
  const links = shownPages(charts, view.scope.clientId === '').map((one) => {
    const href = addressOf({ ...view.state, page: one, clientKey: view.scope.clientKey }, view.source.mode);
    const link = element(
      'a',
      { href, id: `to-${one}`, 'aria-current': one === page ? 'page' : undefined },
      pageLabels[one][view.language],
    );
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      view.go({ page: one, clientKey: view.scope.clientKey });
    });
    return element('li', {}, link);
  });
  return element('nav', { 'aria-label': view.say('pages') }, element('ul', { class: 'pages' }, ...links));
}
