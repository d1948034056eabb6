// Numbers with the word for what they count.
import type { Language } from './chart.ts';
import { formatNumber } from './format.ts';

/** One and many, in each language. */
export type Noun = Readonly<Record<Language, readonly [one: string, many: string]>>;

/** `1 answer`, `1,204 answers`. */
export function counted(count: number, noun: Noun, language: Language): string {
  return `${formatNumber(count, language, 0)} ${noun[language][count === 1 ? 0 : 1]}`;
}
