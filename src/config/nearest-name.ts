// Finds the known name that was meant by an unknown one.

/** Counts single-character edits (insert, delete, replace, swap of neighbours) from one text to the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z0-9]+/);
}

/** True when every word of the shorter name is one of the longer: `AIRANK_KEY` and `AIRANK_API_KEY`. */
function sharesWords(a: string, b: string): boolean {
  const [few, many] = [wordsOf(a), wordsOf(b)].sort((x, y) => x.length - y.length);
  return (
    few !== undefined && many !== undefined && few.length > 1 && few.every((word) => many.includes(word))
  );
}

/** Returns the nearest known name; undefined when none is near enough to help. Letter case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const near = distance <= Math.max(1, Math.floor(candidate.length / 3)) || sharesWords(name, candidate);
    if (near && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** `. Did you mean X?` behind a sentence without its full stop, or nothing. */
export function hintOf(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known);
  return hint === undefined ? '' : `. ${hint}`;
}

export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}
