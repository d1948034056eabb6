// Chooses one of many clients by typing a part of its name: a combobox with a list, by mouse and by keyboard.
import type { PageScope } from '../page/page-data.ts';
import { element } from './element.ts';

const mostShown = 50;

export interface ClientChooser {
  readonly label: string;
  readonly noMatch: string;
  readonly scopes: readonly PageScope[];
  /** Undefined: nobody who is here. */
  readonly chosen: PageScope | undefined;
  nameOf(scope: PageScope): string;
  onChange(clientKey: string): void;
}

/** Without accents and case: what people type to find a name. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function clientChooser(chooser: ClientChooser): HTMLElement {
  const { scopes, chosen, nameOf } = chooser;
  const list = element('ul', {
    id: 'client-list',
    class: 'choices',
    role: 'listbox',
    'aria-label': chooser.label,
    hidden: true,
  });
  const input = element('input', {
    id: 'client',
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-expanded': 'false',
    'aria-controls': 'client-list',
    'aria-autocomplete': 'list',
  });
  const chosenName = chosen === undefined ? '' : nameOf(chosen);
  input.value = chosenName;
  let active = -1;
  let shown: readonly PageScope[] = [];

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    input.value = chosenName;
    active = -1;
  };
  const choose = (scope: PageScope | undefined) => {
    close();
    if (scope !== undefined && scope.clientKey !== chosen?.clientKey) chooser.onChange(scope.clientKey);
  };
  const mark = (place: number) => {
    active = place;
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === place));
      if (index !== place) continue;
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const open = (typed: string) => {
    const wanted = plain(typed.trim());
    const found = scopes.filter((scope) => plain(`${nameOf(scope)} ${scope.clientId}`).includes(wanted));
    shown = found.slice(0, mostShown);
    const options = shown.map((scope, index) => {
      const option = element(
        'li',
        {
          id: `client-${index}`,
          role: 'option',
          class: 'choice',
          'aria-selected': 'false',
          'data-client-key': scope.clientKey,
        },
        nameOf(scope),
      );
      // Before the input loses the focus, which closes the list.
      option.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        choose(scope);
      });
      return option;
    });
    const none = element(
      'li',
      { role: 'option', class: 'choice', 'aria-disabled': 'true', 'aria-selected': 'false' },
      chooser.noMatch,
    );
    list.replaceChildren(...(options.length === 0 ? [none] : options));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    const own = chosen === undefined ? -1 : shown.indexOf(chosen);
    mark(shown.length === 0 ? -1 : wanted === '' ? Math.max(0, own) : 0);
  };

  input.addEventListener('focus', () => input.select());
  input.addEventListener('click', () => open(''));
  input.addEventListener('input', () => open(input.value));
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return open('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (shown.length > 0) mark((active + step + shown.length) % shown.length);
    } else if (event.key === 'Enter' && !list.hidden) {
      event.preventDefault();
      choose(shown[active]);
    } else if (event.key === 'Escape') close();
  });
  return element(
    'div',
    { class: 'field chooser' },
    element('label', { for: 'client' }, chooser.label),
    input,
    list,
  );
}
