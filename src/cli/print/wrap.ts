// Breaks prose at blanks so that it fits a terminal; words are never split, nor is a moment between its date and its time.
import { textWidth } from './text-width.ts';

/** Lines of at most `width` characters where possible; the first begins with `lead`, the others are indented as far. */
export function wrap(text: string, width: number, lead = ''): string[] {
  const indent = ' '.repeat(textWidth(lead));
  const lines: string[] = [];
  let line = lead;
  let empty = true;
  for (const word of wordsOf(text)) {
    if (!empty && textWidth(line) + 1 + textWidth(word) > width) {
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

/** What stands on one line: `2026-11-22 21:10` too. */
export function wordsOf(text: string): string[] {
  return text.match(/\S*\d{4}-\d\d-\d\d \d\d:\d\d\S*|\S+/g) ?? [];
}

/** A line that is too wide, at its blanks; what follows is indented by `hang` more than its beginning. */
export function fold(line: string, width: number, hang = 2): string[] {
  if (textWidth(line) <= width) return [line];
  const lead = /^\s*/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(hang);
  const [first = '', ...rest] = wrap(line, width - hang, lead);
  return [first, ...rest.map((part) => `${indent}${part}`)];
}

/** Columns of a stream; pipes and files are as wide as a line gets. */
export function columnsOf(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true ? Math.max(stream.columns ?? 80, 40) : Number.POSITIVE_INFINITY;
}
