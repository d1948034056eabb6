// Questions out of JSON: a list of texts or of objects, alone or in an object, or one of them a line.
import { ConfigError } from '../../core/errors.ts';
import { isObject } from '../../core/is-object.ts';
import { columnNames, findColumn, toldColumns } from './question-column.ts';
import type { GivenQuestion, QuestionFile, ReadOptions, UnreadPlace } from './question-file.ts';

/** Undefined: it is no JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The list in a JSON document; undefined: there is none, or several and none by a known name. */
export function listIn(value: unknown, column: string | undefined): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  // One object of JSON lines, which may hold a list of something else.
  const field = findColumn(Object.keys(value), column);
  if (field !== undefined && typeof value[field] === 'string') return undefined;
  const lists = Object.entries(value).filter((member): member is [string, unknown[]] =>
    Array.isArray(member[1]),
  );
  const [only, another] = lists;
  if (only !== undefined && another === undefined) return only[1];
  const names = lists.map(([name]) => name);
  const plurals = columnNames.map((name) => `${name}s`);
  const wanted = column ?? plurals.find((plural) => findColumn(names, plural) !== undefined);
  const found = wanted === undefined ? undefined : findColumn(names, wanted);
  return lists.find(([name]) => name === found)?.[1];
}

/** @throws ConfigError where it holds no list of questions */
export function readJsonQuestions(text: string, options: ReadOptions): QuestionFile {
  const parsed = parseJson(text);
  if (parsed === undefined) {
    throw new ConfigError([
      `Expected ${options.name} to be JSON, as it begins like it, got something else. Correct it; if each line is a question, say --format lines`,
    ]);
  }
  const list = listIn(parsed.value, options.column);
  if (list === undefined) {
    throw new ConfigError([
      `Expected a list of questions in ${options.name}, got JSON without one. Give a list of texts, or of objects with one of ${columnNames.join(', ')}`,
    ]);
  }
  return gather(
    'json',
    list.map((value, index) => ({ place: index + 1, parsed: { value } })),
    options,
  );
}

/** @throws ConfigError where no object has the field */
export function readJsonLines(text: string, options: ReadOptions): QuestionFile {
  const lines = text.split(/\r?\n/).map((line, index) => ({ place: index + 1, line }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  return gather(
    'jsonl',
    filled.map(({ place, line }) => ({ place, parsed: parseJson(line) })),
    options,
  );
}

interface ParsedPlace {
  readonly place: number;
  /** Undefined: no JSON. */
  readonly parsed: { readonly value: unknown } | undefined;
}

function gather(
  format: 'json' | 'jsonl',
  all: readonly ParsedPlace[],
  { name, column }: ReadOptions,
): QuestionFile {
  const objects = all.flatMap(({ parsed }) => (isObject(parsed?.value) ? [parsed.value] : []));
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const found = objects.length === 0 ? undefined : findColumn(names, column);
  if (objects.length > 0 && found === undefined) {
    throw new ConfigError([
      `Expected a field ${toldColumns(column)} in the objects of ${name}, got ${names.map((one) => `"${one}"`).join(', ') || 'none'}. Name it by --column`,
    ]);
  }
  const questions: GivenQuestion[] = [];
  const unread: UnreadPlace[] = [];
  for (const { place, parsed } of all) {
    const value = isObject(parsed?.value) && found !== undefined ? parsed.value[found] : parsed?.value;
    if (typeof value === 'string') {
      if (value.trim() !== '') questions.push({ place, text: value });
    } else if (parsed === undefined) {
      unread.push({ place, reason: 'is no JSON' });
    } else {
      unread.push({ place, reason: `holds ${kindOf(value)}, no text` });
    }
  }
  return { format, column: found, questions, unread };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
