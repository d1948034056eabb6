// How often each word comes, for titles: ` (hecha 3, pospuesta 2)`.
import type { Language } from './chart.ts';
import { cutText } from './cut-text.ts';
import { formatNumber } from './format.ts';

const mostWords = 4;

/** The most frequent words in parentheses; empty where there is none. @param words as the API has them; null: not stated */
export function countsBy(words: readonly (string | null)[], language: Language): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    if (word === null || word.trim() === '') continue;
    const shown = cutText(word.replaceAll('_', ' '), 24);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  const said = sorted
    .slice(0, mostWords)
    .map(([word, count]) => `${word} ${formatNumber(count, language, 0)}`);
  if (sorted.length > mostWords) said.push('…');
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}
