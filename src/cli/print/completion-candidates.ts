// What of the known words goes on from what is typed, a line each: the word, a tab, what it is.

export interface Candidate {
  readonly word: string;
  readonly about: string;
  /** Another way to say it, offered to those who begin to type it. */
  readonly name?: string;
}

/** @param isList the word that is typed is a list with commas, whose last entry is completed */
export function candidateLines(
  known: readonly Candidate[],
  typed: string,
  isList: boolean,
): readonly string[] {
  const cut = isList ? typed.search(/(?<!\\),(?!.*(?<!\\),)/s) + 1 : 0;
  const before = typed.slice(0, cut);
  const begun = fold(typed.slice(cut));
  const taken = new Set(before.split(/(?<!\\),/));
  const goesOn = (word: string) => fold(word).startsWith(begun) && isOneLine(word);
  return known.flatMap(({ word, about, name }) => {
    const written = isList ? word.replaceAll(',', '\\,') : word;
    if (taken.has(written)) return [];
    if (goesOn(written)) return [line(`${before}${written}`, about)];
    return name !== undefined && goesOn(name) ? [line(name, word)] : [];
  });
}

const fold = (text: string) => text.toLowerCase();
const isOneLine = (word: string) => word !== '' && !/\p{Cc}/u.test(word);
const line = (word: string, about: string) => `${word}\t${about.replaceAll(/\p{Cc}+/gu, ' ')}`;
