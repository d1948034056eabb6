// Words of the API that rules understand, in Spanish and English. The API lists none of them: what is not here says nothing.

/** Each begins a word of the text; of the last two it is the whole word. */
export const apiWords = {
  /** Verdicts by which a claim is false. */
  false: [
    'fals',
    'incorrect',
    'erron',
    'equivocad',
    'inexact',
    'mentira',
    'desmentid',
    'refutad',
    'contradic',
    'wrong',
    'untrue',
    'inaccurate',
    'refuted',
    'disproved',
  ],
  /** Statuses by which a site refuses a bot. */
  refused: [
    'bloquead',
    'blocked',
    'rechazad',
    'denegad',
    'prohibid',
    'vetad',
    'denied',
    'disallow',
    'refused',
    'rejected',
    'forbidden',
    'unauthorized',
    '401',
    '403',
    '451',
  ],
  /** Kinds of news by which a competitor passes the brand. `adelantado` may be said of either, so it is not here. */
  passed_by: ['adelanta', 'supera', 'sobrepasa', 'rebasa', 'overtakes', 'overtook', 'surpasses', 'outranks'],
  passed: ['adelantas', 'superas', 'sobrepasas', 'rebasas', 'adelantamos', 'superamos'],
} as const satisfies Record<string, readonly string[]>;

export type ApiMeaning = keyof typeof apiWords;

/** Words before which the others mean the opposite: `no bloqueado`, `not false`, `sin bloquear`. */
const negations = new Set(['no', 'not', 'non', 'sin', 'ningun', 'ninguna', 'never', 'nunca']);

const wholeWords: ReadonlySet<ApiMeaning> = new Set(['passed_by', 'passed']);

/** Whether a text of the API means it. Undefined, and what is not understood: no. */
export function means(meaning: ApiMeaning, text: string | undefined): boolean {
  return clausesOf(text ?? '').some((spoken) =>
    spoken.some((word, index) => {
      const isIt = apiWords[meaning].some((begin) =>
        wholeWords.has(meaning) ? word === begin : word.startsWith(begin),
      );
      return isIt && !spoken.slice(Math.max(index - 2, 0), index).some((before) => negations.has(before));
    }),
  );
}

/** A negation ends with its clause: `No, es falso` is false. */
const clausesOf = (text: string) => text.split(/[,.;:!?()¡¿…–—\n]+/u).map(wordsOf);

/** `Muy-Errónea` as muy, erronea. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
