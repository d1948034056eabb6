// Reads the file of the mapping: what people decided, and every comment that is theirs. Pure.
//
// Comments that begin with `#:` are the program's and are written anew; all others stay with the line that they
// stand before.

import { isMap, isScalar, Lexer, LineCounter, parseDocument } from 'yaml';
import { faultText, shown } from '../../config/fault.ts';
import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { canonical } from '../../mapping/change-mapping.ts';

/** By field. @throws ConfigError naming each line that is wrong @param known all fields */
export function overridesIn(
  entries: readonly MapEntry[],
  name: string,
  known: readonly string[],
): ReadonlyMap<string, string | null> {
  const faults: string[] = [];
  const overrides = new Map<string, string | null>();
  for (const { field, path, line } of entries) {
    const place = `${name}:${line}`;
    if (!known.includes(field)) {
      const fix = didYouMean(field, known) ?? 'airank map --all --output - lists all';
      faults.push(
        faultText({ place, expected: 'about a field of the curated views', got: shown(field), fix }),
      );
      continue;
    }
    try {
      overrides.set(field, canonical(field, path));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => `${place}: ${field}: ${fault}`));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return overrides;
}

export interface MapEntry {
  readonly field: string;
  /** As it is written. Null: nowhere. */
  readonly path: string | null;
  readonly line: number;
  /** Comments before it, with their `#`. */
  readonly before: readonly string[];
  readonly trailing: string | undefined;
}

export interface MapFile {
  readonly entries: readonly MapEntry[];
  readonly end: readonly string[];
  /** `field: path` of the program's proposals. */
  readonly offered: ReadonlySet<string>;
}

/** What begins a comment of the program, after a line or as one. */
export const ownMark = '#:';

/** @param name of the file, for messages. @throws ConfigError with every fault and its line */
export function readMapFile(text: string, name: string): MapFile {
  const lines = new LineCounter();
  const source = text.replace(/^\uFEFF/, '');
  const document = parseDocument(source, { lineCounter: lines, logLevel: 'silent' });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    throw new ConfigError(
      problems.map(({ code, linePos, pos }) => {
        const at = linePos?.[0] ?? lines.linePos(pos[0]);
        const got = code === 'DUPLICATE_KEY' ? 'a field that is named twice' : `a syntax error (${code})`;
        return faultText({ place: `${name}:${at.line}:${at.col}`, expected: 'YAML', got });
      }),
    );
  }
  const comments = commentsOf(source);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return { entries: [], end: peoples(comments.map((one) => one.text)), offered: offeredIn(comments) };
  }
  const expected = 'lines as rank_now.score: resultado.total';
  if (!isMap(contents)) throw new ConfigError([faultText({ place: name, expected, got: 'something else' })]);
  const faults: string[] = [];
  const found = contents.items.flatMap(({ key, value }) => {
    const place = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
    const line = place(isScalar(key) ? key.range?.[0] : undefined);
    const last = isScalar(value) ? place(value.range?.[1]) : line;
    const field = isScalar(key) ? String(key.value) : '';
    const path = isScalar(value) ? value.value : value === null ? null : undefined;
    if (typeof path === 'string' || path === null) return [{ field, path, line, last }];
    faults.push(
      faultText({
        place: `${name}:${line}: ${field}`,
        expected: 'the path of a field such as a.b, or null',
        got: isScalar(value) ? String(value.value) : 'a list or a mapping',
        ...(isScalar(value) && { fix: `Put it in quotes: "${String(value.value)}"` }),
      }),
    );
    return [];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  const isBehind = (comment: Comment) =>
    found.some(({ line, last }) => comment.line >= line && comment.line <= last);
  const entries = found.map(({ field, path, line, last }, index): MapEntry => {
    const since = found[index - 1]?.last ?? 0;
    const trailing = comments.filter((one) => one.line >= line && one.line <= last);
    return {
      field,
      path,
      line,
      before: peoples(comments.flatMap((one) => (one.line > since && one.line < line ? [one.text] : []))),
      trailing: trailing.flatMap(({ text }) => beforeMark(text) ?? []).join(' ') || undefined,
    };
  });
  const end = comments.filter((one) => !isBehind(one) && one.line > (found.at(-1)?.last ?? 0));
  return { entries, end: peoples(end.map(({ text }) => text)), offered: offeredIn(comments) };
}

interface Comment {
  readonly line: number;
  readonly text: string;
}

function commentsOf(text: string): Comment[] {
  const found: Comment[] = [];
  let line = 1;
  for (const token of new Lexer().lex(text)) {
    // A text never begins so: it has quotes or an indentation before it.
    if (token.startsWith('#')) found.push({ line, text: token.trimEnd() });
    line += token.split('\n').length - 1;
  }
  return found;
}

const proposal = /^# (\S+: .*?) +#:/;

const peoples = (comments: readonly string[]) =>
  comments.filter((text) => !text.startsWith(ownMark) && !proposal.test(text));

/** What a person wrote of a comment after a line. */
function beforeMark(text: string): string | undefined {
  const own = (text.split(ownMark)[0] ?? '').trim();
  return own === '' ? undefined : own;
}

function offeredIn(comments: readonly Comment[]): ReadonlySet<string> {
  return new Set(comments.flatMap(({ text }) => proposal.exec(text)?.[1] ?? []));
}
