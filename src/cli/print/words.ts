// The layout of text at a terminal: widths, wrapped lines, colours, and words that several commands use.
import picocolors from 'picocolors';
import { count, moment, plural } from '../../core/text.ts';
import type { WriteKind, WritesHolder } from '../../writes/store/write-states.ts';

const plain = /^[\x20-\x7e]*$/;
const wide =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
const invisible = /^[\p{Mn}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Counts the terminal columns of a text: names of clients may hold emoji, accents and Chinese. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (!invisible.test(segment)) columns += wide.test(segment) ? 2 : 1;
  }
  return columns;
}

/** Lines of at most `width` characters where possible; the first begins with `lead`, the others are indented as far. */
export function wrap(text: string, width: number, lead = ''): string[] {
  const indent = ' '.repeat(textWidth(lead));
  const lines: string[] = [];
  let line = lead;
  let taken = textWidth(lead);
  let empty = true;
  for (const word of wordsOf(text)) {
    if (!empty && taken + 1 + widthOf(word) > width) {
      lines.push(line);
      [line, taken, empty] = [indent, indent.length, true];
    }
    line += empty ? word : ` ${word}`;
    taken += (empty ? 0 : 1) + widthOf(word);
    empty = false;
  }
  lines.push(line);
  return lines.map((part) => part.trimEnd());
}

let calledBy = 'airank';

/** Sets how commands will be called, since lines are broken by that width: in a clone by npm. */
export function callCommandsBy(name: string): void {
  calledBy = name;
}

const widthOf = (word: string) =>
  textWidth(word) + (word.startsWith('airank ') ? calledBy.length - 'airank'.length : 0);

/** Splits a text into units that stay on one line; `2026-11-22 21:10` and `airank sync` are one each. */
export function wordsOf(text: string): string[] {
  return text.match(/\S*\d{4}-\d\d-\d\d \d\d:\d\d\S*|airank [a-z][\w-]*\S*|\S+/g) ?? [];
}

/** A line that is too wide, at its blanks; what follows is indented by `hang` more than its beginning. */
export function fold(line: string, width: number, hang = 2): string[] {
  if (wordsOf(line).reduce((sum, word) => sum + widthOf(word) - textWidth(word), textWidth(line)) <= width)
    return [line];
  const lead = /^\s*/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(hang);
  const [first = '', ...rest] = wrap(line, width - hang, lead);
  return [first, ...rest.map((part) => `${indent}${part}`)];
}

/** Columns of a stream, 80 of a terminal that says 0 or nothing; pipes and files are as wide as a line gets. */
export function columnsOf(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true ? Math.max(stream.columns || 80, 40) : Number.POSITIVE_INFINITY;
}

/** Values beside their names, one below the other. A value that is too wide breaks at its blanks. */
export function namedLines(
  rows: readonly (readonly [name: string, value: string])[],
  { width, indent }: { readonly width: number; readonly indent: string },
): string[] {
  const widest = Math.max(...rows.map(([name]) => textWidth(name)), 0);
  return rows.flatMap(([name, value]) => {
    const gap = ' '.repeat(widest - textWidth(name) + 2);
    return wrap(value, width, `${indent}${name}${gap}`);
  });
}

/** Colours for people at a terminal, and none for pipes, files and NO_COLOR. */
export type Colors = ReturnType<typeof picocolors.createColors>;

export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Colors {
  const wanted = env['NO_COLOR'] === undefined || env['NO_COLOR'] === '';
  return picocolors.createColors(stream.isTTY === true && wanted);
}

/** A run of another process. */
interface RunInWords {
  readonly job: string;
  readonly started_at: Date;
  readonly slices: number;
  readonly ended: number;
  readonly requests: number;
}

/** `a run of daily-snapshot, since 2026-11-22 17:31 UTC, 17 of 55 slices, 318 requests`. */
export function runText({ job, started_at: begun, slices, ended, requests }: RunInWords): string {
  return (
    `a run of ${job}, since ${moment(begun)}, ${count(ended)} of ${plural(slices, 'slice')}, ` +
    plural(requests, 'request')
  );
}

/** Says which sender a command waits for. */
export function busyText(kind: WriteKind, account: string, holder: WritesHolder | undefined): string {
  const from = holder?.address === undefined ? '' : ` from ${holder.address}`;
  const since = holder?.since === undefined ? '' : `, connected since ${moment(holder.since)}`;
  const who = holder === undefined ? '' : ` (process ${holder.pid} of the database${from}${since})`;
  return `Another process sends ${kind} of account ${account}${who}: waiting for it`;
}

/** `2 migrations to apply (first: 000002_x)`, `1 function to install (code/sync/learn_fields.sql)`. @param pending at least one */
export function pendingText(pending: readonly string[]): string {
  const [first = ''] = pending;
  const what = first.startsWith('code/')
    ? `${plural(pending.length, 'function')} to install`
    : `${plural(pending.length, 'migration')} to apply`;
  return `${what} (${pending.length === 1 ? '' : 'first: '}${first})`;
}
