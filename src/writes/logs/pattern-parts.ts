// A pattern of a server's configuration as a regular expression: values, and the text between them.
import type { Meaning } from './log-values.ts';

export interface PatternValue {
  /** Undefined: it means nothing here. */
  readonly meaning: Meaning | undefined;
  /** What it may look like, where that is not told by the text after it. */
  readonly shape: string | undefined;
  /** Text up to the next value. */
  readonly after: string;
}

export interface PatternParts {
  /** Text before the first value. */
  readonly before: string;
  readonly values: readonly PatternValue[];
}

/** A value ends where the text after it begins. Of two with one meaning the first counts. */
export function expressionOf({ before, values }: PatternParts): RegExp {
  const seen = new Set<Meaning>();
  let source = escaped(before);
  for (const [place, { meaning, shape, after }] of values.entries()) {
    const isNew = meaning !== undefined && !seen.has(meaning);
    if (isNew) seen.add(meaning);
    const value = shape ?? valueBefore(after, place === values.length - 1);
    source += `${isNew ? `(?<${meaning}>` : '(?:'}${value})${escaped(after)}`;
  }
  return new RegExp(`^${source}$`);
}

function valueBefore(after: string, isLast: boolean): string {
  const next = after[0];
  if (next === undefined) return isLast ? '.*' : '.*?';
  return next === '"' ? '(?:[^"\\\\]|\\\\.)*' : `[^${escaped(next)}]*`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/-]/g, '\\$&');
}
