// Breaks prose at blanks so that it fits a terminal; words are never split.

/** Lines of at most `width` characters where possible; the first begins with `lead`, the others are indented as far. */
export function wrap(text: string, width: number, lead = ''): string[] {
  const indent = ' '.repeat([...lead].length);
  const lines: string[] = [];
  let line = lead;
  let empty = true;
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (!empty && [...line].length + 1 + [...word].length > width) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  lines.push(line);
  return lines.map((part) => part.trimEnd());
}

/** Columns of a stream; pipes and files are as wide as a line gets. */
export function columnsOf(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true ? Math.max(stream.columns ?? 80, 40) : Number.POSITIVE_INFINITY;
}
