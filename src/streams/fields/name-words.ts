// The words of a field's name, however it is written: camelCase, snake_case, kebab-case, with accents.

const small = new Set(['de', 'del', 'el', 'la', 'of', 'the']);

/** `ID_deMedición` → id, medicion. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '' && !small.has(word));
}

/** Whether a word is the plural of another, in Spanish or English. */
export function isPluralOf(word: string, one: string): boolean {
  if (word === one) return false;
  return word === `${one}s` || word === `${one}es` || word === one.replace(/y$/, 'ies').replace(/z$/, 'ces');
}
