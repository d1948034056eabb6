// How a client is found in texts: its id and names as whole words. Pure.

export interface TextPatterns {
  /** Regular expressions of Postgres: the id by letter case, the names without. Null: not looked for. */
  readonly exact: string | null;
  readonly loose: string | null;
  /** The id where it may stand as a number. */
  readonly number: string | null;
}

/** A shorter id or name stands in too many texts that are about something else. */
export const shortestSearched = { id: 4, name: 3 } as const;

export function textPatterns(clientId: string, names: readonly string[]): TextPatterns {
  const isSearched = [...clientId].length >= shortestSearched.id;
  const searched = [...new Set(names.map((name) => name.trim()))].filter(
    (name) => [...name].length >= shortestSearched.name && name !== clientId,
  );
  // The longest first: of two names that begin alike it takes all.
  const longest = searched.sort((a, b) => b.length - a.length);
  return {
    exact: isSearched ? word([clientId]) : null,
    loose: longest.length === 0 ? null : word(longest),
    number: isSearched && /^\d+$/.test(clientId) ? clientId : null,
  };
}

/** `\m` and `\M` would not end at a sign. */
function word(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `(?<![[:alnum:]_])(?:${escaped.join('|')})(?![[:alnum:]_])`;
}
