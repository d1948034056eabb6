// Whether an attribute speaks for or against a brand, by the words that the service may use for it.
import type { Words } from './chart.ts';
import { valueWords } from './unknown.ts';

export type Polarity = 'positive' | 'neutral' | 'negative' | 'other';

export const polarityWords: Readonly<Record<Polarity, Words>> = {
  positive: { en: 'positive', es: 'positivas' },
  neutral: { en: 'neutral', es: 'neutras' },
  negative: { en: 'negative', es: 'negativas' },
  other: valueWords.unknown,
};

const beginnings = [
  ['pos', 'positive'],
  ['neu', 'neutral'],
  ['neg', 'negative'],
] as const;

/** Of `positiva`, `Negative`, `neutro`; what is none of these is `other`, never guessed. */
export function polarityOf(word: string | null): Polarity {
  const lower = word?.trim().toLowerCase() ?? '';
  return beginnings.find(([beginning]) => lower.startsWith(beginning))?.[1] ?? 'other';
}
