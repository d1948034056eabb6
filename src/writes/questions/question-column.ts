// Which column or field holds the questions.

/** In order of preference. */
export const columnNames = ['pregunta', 'question', 'query', 'prompt', 'text'] as const;

/**
 * The name as it is written there; undefined: none of them.
 * @param wanted the only one that will do; undefined: one of `columnNames`
 */
export function findColumn(names: readonly string[], wanted: string | undefined): string | undefined {
  const looked = wanted === undefined ? columnNames : [wanted];
  for (const one of looked) {
    const found = names.find((name) => name === one) ?? names.find((name) => folded(name) === folded(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What was looked for, for messages. */
export function toldColumns(wanted: string | undefined): string {
  return wanted === undefined ? columnNames.join(', ') : `"${wanted}"`;
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
