// Names by pattern.

/** Tests whether a name fits a pattern with `*` (anything) and `?` (one character). */
export function namePattern(pattern: string): (name: string) => boolean {
  const source = [...pattern]
    .map((character) => (character === '*' ? '.*' : character === '?' ? '.' : escaped(character)))
    .join('');
  const expression = new RegExp(`^${source}$`, 'su');
  return (name) => expression.test(name);
}

function escaped(character: string): string {
  return character.replace(/[\\^$.|?*+()[\]{}/]/, '\\$&');
}
