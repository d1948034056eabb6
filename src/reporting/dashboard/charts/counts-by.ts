// How often each word comes, for titles: ` (hecha 3, pospuesta 2)`.
import type { DrawContext } from './chart.ts';
import { cutText } from './cut-text.ts';
import { formatNumber } from './format.ts';
import { unknownWord } from './unknown.ts';

const mostWords = 4;

/** The most frequent words in parentheses, and how many are not known. @param words of the column, as the API has them */
export function countsBy(words: readonly (string | null)[], column: string, context: DrawContext): string {
  const { language } = context;
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
  const unknown = words.length - [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (unknown > 0) said.push(`${unknownWord(context, column)} ${formatNumber(unknown, language, 0)}`);
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}
