// The head of a card: its finding, and in one small line what is measured.

import type { Chart, Language } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { h, type Tree } from '../charts/tree.ts';

/** @param id by which the card is named */
export function cardHead(
  { unit }: Pick<Chart, 'unit'>,
  title: string,
  language: Language,
  id?: string,
): Tree {
  return h('header', h('h2', id === undefined ? {} : { id }, title), h('p.sub', `${fill(unit, language)}.`));
}
