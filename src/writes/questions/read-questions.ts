// The questions in a file, whatever its form: lines, CSV, JSON or JSON lines, found by itself. Pure.
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { ConfigError } from '../../core/errors.ts';
import { isObject } from '../../core/text.ts';

// What a file of questions holds, before any of it is judged.
type QuestionFormat = 'lines' | 'csv' | 'json' | 'jsonl';

export const questionFormats: readonly QuestionFormat[] = ['lines', 'csv', 'json', 'jsonl'];

interface GivenQuestion {
  /** Where it stands, from 1: the line, or the element of a JSON list. */
  readonly place: number;
  readonly text: string;
}

export interface UnreadPlace {
  readonly place: number;
  readonly reason: string;
}

export interface QuestionFile {
  readonly format: QuestionFormat;
  /** Column or field of the questions, as the file writes it; undefined: there is none. */
  readonly column: string | undefined;
  readonly questions: readonly GivenQuestion[];
  /** What holds something else than a text. */
  readonly unread: readonly UnreadPlace[];
}

export interface ReadOptions {
  /** For messages, and for what its ending says; `-` for standard input. */
  readonly name: string;
  readonly column?: string | undefined;
  readonly format?: QuestionFormat | undefined;
}

/** In order of preference. */
const columnNames = ['pregunta', 'question', 'query', 'prompt', 'text'] as const;

/**
 * The name as it is written there; undefined: none of them.
 * @param wanted the only one that will do; undefined: one of `columnNames`
 */
function findColumn(names: readonly string[], wanted: string | undefined): string | undefined {
  const looked = wanted === undefined ? columnNames : [wanted];
  for (const one of looked) {
    const found = names.find((name) => name === one) ?? names.find((name) => folded(name) === folded(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What was looked for, for messages. */
function toldColumns(wanted: string | undefined): string {
  return wanted === undefined ? columnNames.join(', ') : `"${wanted}"`;
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Undefined: it is no JSON. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The list in a JSON document; undefined: there is none, or several and none by a known name. */
function listIn(value: unknown, column: string | undefined): readonly unknown[] | undefined {
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
function readJsonQuestions(text: string, options: ReadOptions): QuestionFile {
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
function readJsonLines(text: string, options: ReadOptions): QuestionFile {
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

/** A record with the line on which it begins. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** @throws ConfigError where it is no CSV, or no column of the kind is there */
function readCsvQuestions(text: string, { name, column }: ReadOptions): QuestionFile {
  const [header, ...rows] = csvRows(text, name);
  const names = header?.cells ?? [];
  const found = findColumn(names, column);
  if (found === undefined) {
    throw new ConfigError([
      `Expected a column ${toldColumns(column)} in ${name}, got ${names.map((one) => `"${one}"`).join(', ') || 'none'}. ` +
        'Name it by --column; if each line is a question, say --format lines',
    ]);
  }
  const index = names.indexOf(found);
  const questions = rows.flatMap(({ line, cells }) => {
    const cell = cells[index] ?? '';
    return cell.trim() === '' ? [] : [{ place: line, text: cell }];
  });
  return { format: 'csv', column: found.trim(), questions, unread: [] };
}

/**
 * Whether a text without a word on it is a table: its header names a known column, or its first lines have as many cells
 * each as no questions would.
 */
function looksLikeTable(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const delimiter = delimiterOf(lines[0] ?? '');
  const rows = lines.slice(0, mostLooked).map((line) => line.split(delimiter).map(unquoted));
  const [header = [], first = []] = rows;
  if (findColumn(header, undefined) !== undefined) return true;
  if (rows.length < 2 || header.length < 2) return false;
  if (rows.some((cells) => cells.length !== header.length)) return false;
  const isNamed = header.every((cell) => /^\S+$/.test(cell));
  return delimiter !== ',' || isNamed || first.some((cell) => /^\d[\d.,%]*$/.test(cell));
}

const mostLooked = 20;

function csvRows(text: string, name: string): CsvRow[] {
  try {
    const rows: unknown = parse(text, {
      delimiter: delimiterOf(text.split(/\r?\n/, 1)[0] ?? ''),
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      info: true,
    });
    return (rows as { readonly info: Info; readonly record: string[] }[]).map(({ info, record }) => ({
      line: info.lines - lineBreaksIn(record),
      cells: record,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as CsvError & Partial<Info>).lines;
    throw new ConfigError([
      `Cannot read ${name} as CSV${line === undefined ? '' : `, line ${line}`}: expected quotes that are closed, got ${error.code}. Correct the line, or say --format lines`,
    ]);
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.join('').split(/\r\n|\n|\r/).length - 1;
}

/** The candidate that occurs most often in the header, outside of quotes. */
function delimiterOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counted = [',', ';', '\t'].map((one) => ({ one, times: bare.split(one).length - 1 }));
  return counted.reduce((best, next) => (next.times > best.times ? next : best)).one;
}

function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1');
}

/** @throws ConfigError where the form is clear and cannot be read */
export function readQuestions(bytes: Uint8Array, options: ReadOptions): QuestionFile {
  const text = decoded(bytes, options.name);
  const format = options.format ?? formatOf(text, options);
  switch (format) {
    case 'json':
      return readJsonQuestions(text, options);
    case 'jsonl':
      return readJsonLines(text, options);
    case 'csv':
      return readCsvQuestions(text, options);
    case 'lines':
      return readLines(text);
  }
}

function formatOf(text: string, { name, column }: ReadOptions): QuestionFormat {
  const start = text.trimStart();
  if (/^[[{]/.test(start)) {
    const whole = parseJson(text);
    if (whole !== undefined && listIn(whole.value, column) !== undefined) return 'json';
    const [firstLine = ''] = start.split(/\r?\n/, 1);
    return parseJson(firstLine) === undefined ? 'json' : 'jsonl';
  }
  if (/\.[ct]sv$/i.test(name) || column !== undefined || looksLikeTable(text)) return 'csv';
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every(isJsonText) ? 'jsonl' : 'lines';
}

function isJsonText(line: string): boolean {
  return /^\s*"/.test(line) && typeof parseJson(line)?.value === 'string';
}

function readLines(text: string): QuestionFile {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ place: index + 1, text: line }));
  const questions = lines.filter((line) => line.text.trim() !== '');
  return { format: 'lines', column: undefined, questions, unread: [] };
}

/** A wrong encoding would be sent as wrong letters. */
function decoded(bytes: Uint8Array, name: string): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([
      `Expected ${name} to be text in UTF-8, got bytes that are none. Save it as UTF-8 ("CSV UTF-8" in Excel), or: iconv -f windows-1252 -t utf-8`,
    ]);
  }
}
