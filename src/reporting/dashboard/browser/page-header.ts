// The header of every page: title, choices, and links to the other pages.

import { charts } from '../charts/catalog.ts';
import type { Language, PageName } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { h } from '../charts/tree.ts';
import type { PageScope } from '../page/page-data.ts';
import { offeredSpans, type Span, shownPages, type Theme, themes } from '../page/page-state.ts';
import { pageLabels, spanLabels, themeLabels } from '../page/page-words.ts';
import { addressOf } from './address.ts';
import { element } from './element.ts';
import type { View } from './view.ts';

/** Makes one line, two on a phone: where the reader is, what is chosen, and further settings that open. */
export function pageHeader(page: PageName, view: View): HTMLElement {
  const { overview, scope, say } = view;
  const account = overview.scopes.find((one) => one.account === scope.account && one.clientId === '');
  const more = element('summary', { id: 'more' }, element('span', { 'aria-hidden': 'true' }, '⋯'));
  more.append(element('span', { class: 'vh' }, say('More settings')));
  const settings = [...accountField(view), ...lookFields(view)];
  return element(
    'header',
    { class: 'top' },
    skipLink(view),
    element(
      'div',
      { class: 'wrap' },
      element('bdi', { class: 'brand' }, account?.name ?? say('AI visibility')),
      navigation(page, view),
      element(
        'div',
        { class: 'ctl' },
        scopeField(view),
        periodField(view),
        ...(typeof view.state.span === 'object' ? dateFields(view) : []),
        element('details', { class: 'menu' }, more, element('div', {}, ...settings)),
      ),
    ),
  );
}

/** Skips to the content without changing the fragment, which in a file is the state. */
function skipLink({ say }: View): HTMLElement {
  const link = element('a', { class: 'skip', href: '#main' }, say('Skip to the figures'));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  });
  return link;
}

function accountField({ overview, scope, say, go }: View): HTMLElement[] {
  const accounts = [...new Set(overview.scopes.map(({ account }) => account))];
  if (accounts.length < 2) return [];
  const choices = accounts.map((value) => ({ value, label: value }));
  const toAccount = (account: string) =>
    go({ clientKey: overview.scopes.find((one) => one.account === account)?.clientKey, page: undefined });
  return [selectField('account', say('Account'), choices, scope.account, toAccount)];
}

/** Finds a client by the part of its name that the reader types. */
function scopeField({ overview, scope, isUnknown, say, go }: View): HTMLElement {
  const labelOf = ({ clientId, name, leftOn }: PageScope) =>
    clientId === ''
      ? `${say('The whole account')} (${name})`
      : `${name}${leftOn === null ? '' : ` (${say('left')})`}`;
  const own = overview.scopes.filter(({ account }) => account === scope.account);
  const choices = own.map((one) => ({ value: one.clientKey, label: labelOf(one) }));
  const none = isUnknown ? [{ value: '', label: '–' }] : [];
  return selectField(
    'client',
    say('Client'),
    [...none, ...choices],
    isUnknown ? '' : scope.clientKey,
    (clientKey) => go({ clientKey }),
  );
}

function periodField({ state, period, overview, language, say, go }: View): HTMLElement {
  const isOwn = typeof state.span === 'object';
  const spans = overview.dates === undefined ? [] : offeredSpans(overview.dates);
  // Offers the span in the address, too.
  const shown = isOwn || spans.includes(state.span as Span) ? spans : [...spans, state.span as Span];
  const choices = [...shown, 'own' as const].map((value) => ({
    value,
    label: fill(spanLabels[value], language),
  }));
  return selectField('period', say('Period'), choices, isOwn ? 'own' : String(state.span), (value) =>
    go({ span: value === 'own' ? period : (value as Span) }),
  );
}

function dateFields({ period, say, go }: View): HTMLElement[] {
  const set = (from: string, to: string) => go({ span: from <= to ? { from, to } : { from: to, to: from } });
  return [
    dateField('from', say('From'), period.from, (from) => set(from, period.to)),
    dateField('to', say('To'), period.to, (to) => set(period.from, to)),
  ];
}

function lookFields({ state, language, say, go }: View): HTMLElement[] {
  const languages = [
    { value: 'en', label: 'English' },
    { value: 'es', label: 'Español' },
  ];
  const colours = themes.map((value) => ({ value, label: fill(themeLabels[value], language) }));
  return [
    selectField('language', say('Language'), languages, language, (value) =>
      go({ language: value as Language }),
    ),
    selectField('theme', say('Colours'), colours, state.theme, (value) => go({ theme: value as Theme })),
  ];
}

function navigation(page: PageName, view: View): HTMLElement {
  const links = shownPages(charts, view.scope.clientId === '').map((one) => {
    const href = addressOf({ ...view.state, page: one, clientKey: view.scope.clientKey }, view.source.mode);
    const attributes = { href, id: `to-${one}`, ...(one === page && { 'aria-current': 'page' }) };
    return h('li', h('a', attributes, fill(pageLabels[one], view.language)));
  });
  return element('nav', { 'aria-label': view.say('Pages') }, h('ul', ...links));
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Makes a select with its label, which the style sheet hides in a single line. @param id also restores the focus when
 * the page is made again
 */
function selectField(
  id: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLElement {
  const select = element(
    'select',
    { id },
    ...choices.map(({ value, label: text }) =>
      element('option', { value, selected: value === chosen }, text),
    ),
  );
  select.addEventListener('change', () => onChange(select.value));
  return element('div', { class: 'field' }, element('label', { for: id }, label), select);
}

function dateField(id: string, label: string, value: string, onChange: (value: string) => void): HTMLElement {
  const input = element('input', { id, type: 'date', value, required: true });
  input.addEventListener('change', () => {
    if (input.value !== '') onChange(input.value);
  });
  return element('div', { class: 'field' }, element('label', { for: id }, label), input);
}
