// Labelled controls.
import { element } from './element.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A label above a select. @param id also what keeps the focus when the page is made anew */
export function selectField(
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

export function dateField(
  id: string,
  label: string,
  value: string,
  onChange: (value: string) => void,
): HTMLElement {
  const input = element('input', { id, type: 'date', value, required: true });
  input.addEventListener('change', () => {
    if (input.value !== '') onChange(input.value);
  });
  return element('div', { class: 'field' }, element('label', { for: id }, label), input);
}
