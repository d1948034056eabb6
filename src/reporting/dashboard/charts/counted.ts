// Numbers with the word for what they count.
import type { Language } from './chart.ts';
import { formatNumber } from './format.ts';

/** One and many, in each language. */
export type Noun = Readonly<Record<Language, readonly [one: string, many: string]>>;

/** `1 answer`, `1,204 answers`. */
export function counted(count: number, noun: Noun, language: Language): string {
  return `${formatNumber(count, language, 0)} ${noun[language][count === 1 ? 0 : 1]}`;
}

/** `12 domains`; of as many rows as a statement gives at most, `at least 500 domains`. */
export function countedUpTo(most: number, count: number, noun: Noun, language: Language): string {
  const text = counted(count, noun, language);
  return count < most ? text : `${{ en: 'at least', es: 'al menos' }[language]} ${text}`;
}

/** `At least 500 domains`. */
export function beginSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
