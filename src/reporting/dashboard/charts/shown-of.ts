// How many rows a picture has room for.
import type { Language } from './chart.ts';

/** `12 of 30 shown`; undefined where all are. */
export function shownOf(shown: number, all: number, language: Language): string | undefined {
  if (shown >= all) return undefined;
  return { en: `${shown} of ${all} shown`, es: `Se muestran ${shown} de ${all}` }[language];
}
