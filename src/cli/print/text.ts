// Text at a terminal: how wide it is, where its lines break, and in which colours.
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';

const wide =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
const invisible = /^[\p{Mn}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Counts the terminal columns of a text: names of clients may hold emoji, accents and Chinese. */
export function textWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  segmenter ??= new Intl.Segmenter();
  let columns = 0;
  for (const { segment } of segmenter.segment(plain)) {
    if (!invisible.test(segment)) columns += wide.test(segment) ? 2 : 1;
  }
  return columns;
}

/** Splits a text into what stays on one line; `2026-11-22 21:10` and `airank sync` are one each. */
export function wordsOf(text: string): string[] {
  return (
    text.match(
      /\S*\d{4}-\d\d-\d\d \d\d:\d\d\S*|\S*npm run -s airank -- \S+|\S*\bairank [a-z][\w-]*\S*|\S+/g,
    ) ?? []
  );
}

/**
 * Breaks a line that is too wide between words. Continuation lines start where the text starts: behind a sign, behind
 * a name and its gap, or at the indent of the line; without an indent they start `hang` further in.
 */
export function fold(line: string, width: number, hang = 2): string[] {
  if (textWidth(line) <= width) return [line];
  const plain = stripVTControlCharacters(line);
  const name = /^\s*\S+(?: \S+)*? {2,}(?=\S)/.exec(plain)?.[0];
  const isNamed = name !== undefined && line.startsWith(name) && name.length < width / 2;
  const lead = isNamed ? name : (/^\s*/.exec(line)?.[0] ?? '');
  const isSigned = /^\s*[✓!✗~+-] /.test(plain);
  const further = isNamed ? 0 : isSigned ? 2 : lead === '' ? hang : 0;
  const indent = ' '.repeat(textWidth(lead) + further);
  const lines: string[] = [];
  let current = lead;
  let isEmpty = true;
  for (const word of wordsOf(line.slice(lead.length))) {
    if (!isEmpty && textWidth(current) + 1 + textWidth(word) > width) {
      lines.push(current);
      current = indent;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}

/** Columns of a stream: 80 if a terminal reports 0 or nothing, unlimited for pipes and files. */
export function columnsOf(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true ? Math.max(stream.columns || 80, 40) : Number.POSITIVE_INFINITY;
}

/** Colours for people at a terminal, and none for pipes, files and NO_COLOR. */
export type Colors = ReturnType<typeof picocolors.createColors>;

export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Colors {
  return picocolors.createColors(stream.isTTY === true && !env['NO_COLOR']);
}
