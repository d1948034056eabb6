// Finds the source text of one value in a JSON text, because JSON.parse loses digits of large numbers.

/**
 * The literal text at `path` (object keys, outermost first) in a valid JSON text; undefined when the
 * path is not there. Of repeated keys the last one counts, as in JSON.parse.
 */
export function literalAt(text: string, path: readonly string[]): string | undefined {
  let start = skipSpace(text, 0);
  for (const key of path) {
    const found = memberStart(text, start, key);
    if (found === undefined) return undefined;
    start = found;
  }
  return text.slice(start, valueEnd(text, start));
}

function memberStart(text: string, objectStart: number, key: string): number | undefined {
  if (text[objectStart] !== '{') return undefined;
  let found: number | undefined;
  let at = skipSpace(text, objectStart + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = stringEnd(text, at);
    const name: unknown = JSON.parse(text.slice(at, keyEnd));
    const colon = skipSpace(text, keyEnd);
    const start = skipSpace(text, colon + 1);
    if (name === key) found = start;
    at = skipSpace(text, valueEnd(text, start));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') {
    const scalar = /[^\s,\]}]*/y;
    scalar.lastIndex = start;
    return start + (scalar.exec(text)?.[0].length ?? 0);
  }
  const mark = /["{}[\]]/g;
  let depth = 0;
  mark.lastIndex = start;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '"') mark.lastIndex = stringEnd(text, match.index);
    else depth += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (depth === 0) return match.index + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}
