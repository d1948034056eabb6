// The head of a card: its finding, and one small line with the measure.

import type { Chart, Language } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { h, type Tree } from '../charts/tree.ts';

/** @param id names the card for screen readers */
export function cardHead(
  { unit }: Pick<Chart, 'unit'>,
  title: string,
  language: Language,
  id?: string,
): Tree {
  return h('header', h('h2', id === undefined ? {} : { id }, title), h('p.sub', `${fill(unit, language)}.`));
}
