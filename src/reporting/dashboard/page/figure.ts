// A figure with its verdict: loud if a change is clear, grey within the usual range, a dashed word if nothing can be
// said.
import type { Fields } from '../charts/chart.ts';
import { formatChange, formatNumber, formatRate, verdictText } from '../charts/format.ts';
import { unknownWord } from '../charts/tell.ts';
import { type Child, h, type Tree } from '../charts/tree.ts';
import type { Shown } from './shown.ts';

export interface FigureNames {
  readonly value: 'mention_rate' | 'score';
  readonly verdict: string;
  readonly change: string;
}

export const shareNames = {
  value: 'mention_rate',
  verdict: 'mention_direction',
  change: 'mention_change',
} as const;
export const rankNames = { value: 'score', verdict: 'rank_direction', change: 'change_28d' } as const;

function changeChip(verdict: string | null, change: string, { language, say }: Shown): Tree | undefined {
  if (verdict === null) return undefined;
  const said = verdictText(verdict, language) ?? verdict;
  if (verdict === 'rose' || verdict === 'fell') {
    const sign = h('span', { 'aria-hidden': 'true' }, verdict === 'rose' ? '▲' : '▼');
    return h(`span.chip.${verdict}`, sign, `${said} ${change.replace(/^[+−]/, '')}`);
  }
  if (verdict === 'usual') return h('span.quiet', change, h('span.vh', `, ${said}`));
  return h('span.chip.wait', { title: said }, say('no verdict'));
}

export function figureOf(row: Fields, names: FigureNames, shown: Shown): Child[] {
  const { language, data } = shown;
  const [value, change] = [row.number(names.value), row.number(names.change)];
  if (value === null) return [h('span.quiet', unknownWord({ gaps: data.gaps, language }, names.value))];
  const isShare = names.value === 'mention_rate';
  const text = isShare ? formatRate(value, language) : formatNumber(value, language);
  const by = change === null ? '' : formatChange(isShare ? change * 100 : change, language);
  return [h('b', text), changeChip(row.text(names.verdict), by, shown)];
}
