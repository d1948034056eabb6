// Reads the questions in a file of lines, CSV or JSON lines, told apart by content, and says whether each can be sent.
// Pure.

import { createHash } from 'node:crypto';
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { ConfigError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';

interface GivenQuestion {
  readonly place: number;
  /** Undefined if the value here is not a text. */
  readonly text: string | undefined;
}

export interface QuestionFile {
  readonly name: string;
  readonly format: 'lines' | 'csv' | 'jsonl';
  /** Column or field of the questions, as the file writes it; undefined if there is none. */
  readonly column: string | undefined;
  readonly questions: readonly GivenQuestion[];
}

/** In order of preference. */
const columnNames = ['pregunta', 'question', 'query', 'prompt', 'text'];

/**
 * @param column the only one to accept; undefined accepts the usual names
 * @throws ConfigError if the form is clear but cannot be read
 */
export function readQuestions(bytes: Uint8Array, name: string, column?: string): QuestionFile {
  const text = decoded(bytes, name);
  const [first = ''] = text.trimStart().split(/\r?\n/, 1);
  if (/^[[{"]/.test(first) && isJson(first)) return readJsonLines(text, name, column);
  // Excel names its delimiter in a line of its own.
  const said = /^sep=(.)\r?\n/i.exec(text)?.[1];
  const header = said === undefined ? first : (text.split(/\r?\n/, 2)[1] ?? '');
  const delimiter = said ?? delimiterOf(header);
  const isTable =
    said !== undefined ||
    column !== undefined ||
    /\.[ct]sv$/i.test(name) ||
    findColumn(header.split(delimiter).map(unquoted), undefined) !== undefined;
  if (isTable) return readCsv(text, { name, column, delimiter, fromLine: said === undefined ? 1 : 2 });
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ place: index + 1, text: line }));
  return { name, format: 'lines', column: undefined, questions: lines.filter(isFilled) };
}

/** A wrong encoding would send wrong letters. */
function decoded(bytes: Uint8Array, name: string): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([
      `Expected ${name} to be text in UTF-8, got other bytes. Save it as UTF-8 ("CSV UTF-8" in Excel), or: iconv -f windows-1252 -t utf-8`,
    ]);
  }
}

function isFilled({ text }: GivenQuestion): boolean {
  return text === undefined || text.trim() !== '';
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

function findColumn(names: readonly string[], wanted: string | undefined): string | undefined {
  for (const one of wanted === undefined ? columnNames : [wanted]) {
    const found = names.find((name) => folded(name) === folded(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

function expectColumn(names: readonly string[], name: string, wanted: string | undefined): string {
  const found = findColumn(names, wanted);
  if (found !== undefined) return found;
  const expected = wanted === undefined ? columnNames.join(', ') : `"${wanted}"`;
  throw new ConfigError([
    `Expected a column or field ${expected} in ${name}, got ${names.map((one) => `"${one}"`).join(', ') || 'none'}. Name it by --column`,
  ]);
}

function readJsonLines(text: string, name: string, wanted: string | undefined): QuestionFile {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ place: index + 1, line }))
    .filter(({ line }) => line.trim() !== '');
  const values = lines.map(({ place, line }) => ({ place, value: parsed(line)?.value }));
  const keys = new Set(values.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])));
  const column = keys.size === 0 ? undefined : expectColumn([...keys], name, wanted);
  const questions = values.map(({ place, value }) => {
    const held = isObject(value) && column !== undefined ? value[column] : value;
    return { place, text: typeof held === 'string' ? held : undefined };
  });
  return { name, format: 'jsonl', column, questions: questions.filter(isFilled) };
}

interface CsvOptions {
  readonly name: string;
  readonly column: string | undefined;
  readonly delimiter: string;
  readonly fromLine: number;
}

function readCsv(text: string, { name, column: wanted, delimiter, fromLine }: CsvOptions): QuestionFile {
  const [header, ...rows] = csvRows(text, name, delimiter, fromLine);
  const names = header?.cells ?? [];
  const column = expectColumn(names, name, wanted);
  const index = names.indexOf(column);
  const questions = rows.map(({ place, cells }) => ({ place, text: cells[index] ?? '' }));
  return { name, format: 'csv', column: column.trim(), questions: questions.filter(isFilled) };
}

function csvRows(text: string, name: string, delimiter: string, fromLine: number) {
  const options = {
    delimiter,
    from_line: fromLine,
    skip_empty_lines: true,
    relax_column_count: true,
  } as const;
  try {
    const rows: unknown = parse(text, { ...options, relax_quotes: true, info: true });
    return (rows as { readonly info: Info; readonly record: string[] }[]).map(({ info, record }) => ({
      // A record with line breaks ends some lines below its beginning.
      place: info.lines - (record.join('').split(/\r\n|\n|\r/).length - 1),
      cells: record,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as CsvError & Partial<Info>).lines;
    throw new ConfigError([
      `Cannot read ${name} as CSV${line === undefined ? '' : `, line ${line}`}: expected quotes that are closed, got ${error.code}. Correct the line`,
    ]);
  }
}

/** Returns the candidate that occurs most often in the header, outside of quotes. */
function delimiterOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counted = [',', ';', '\t'].map((one) => ({ one, times: bare.split(one).length - 1 }));
  return counted.reduce((best, next) => (next.times > best.times ? next : best)).one;
}

function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1');
}

/**
 * api.md, "Write routes". It is not documented how the service counts, so both code units and code points are checked.
 */
const [fewestCharacters, mostCharacters] = [8, 300];

/** Patterns of personal data other than names. They match too much rather than too little: the user decides. */
const personal = [
  { kind: 'an e-mail address', pattern: /[^\s@]+(?:@|\s?(?:\(at\)|\[at\])\s?)[^\s@]+\.\p{L}{2,}/iu },
  { kind: 'a phone number, an account or a document', pattern: /(?:\d[ .()/-]{0,2}){7}\d/u },
] as const;

interface Place {
  readonly file: string;
  readonly place: number;
  readonly reason: string;
}

export interface SortedQuestions {
  readonly fine: readonly { readonly hash: Buffer; readonly text: string }[];
  readonly refused: readonly Place[];
  /** Held back; or only pointed out, where they are allowed. */
  readonly personal: readonly Place[];
  readonly repeated: number;
}

export function sortQuestions(
  files: readonly QuestionFile[],
  { allowPersonalData }: { readonly allowPersonalData: boolean },
): SortedQuestions {
  const fine = new Map<string, { readonly hash: Buffer; readonly text: string }>();
  const refused: Place[] = [];
  const found: Place[] = [];
  let repeated = 0;
  for (const { name: file, questions } of files) {
    for (const { place, text: raw } of questions) {
      const text = raw?.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
      const fault = text === undefined ? 'holds no text' : faultOf(text);
      if (text === undefined || fault !== undefined) {
        refused.push({ file, place, reason: fault ?? '' });
        continue;
      }
      const kind = personal.find(({ pattern }) => pattern.test(text))?.kind;
      if (kind !== undefined) found.push({ file, place, reason: kind });
      if (kind !== undefined && !allowPersonalData) continue;
      const hash = questionHash(text);
      const key = hash.toString('hex');
      if (fine.has(key)) repeated += 1;
      else fine.set(key, { hash, text });
    }
  }
  return { fine: [...fine.values()], refused, personal: found, repeated };
}

function faultOf(text: string): string | undefined {
  if (/[\p{Cc}\p{Cs}\ufffd]/u.test(text))
    return 'holds control characters, or letters that could not be read';
  const points = [...text].length;
  if (points < fewestCharacters) return `${points} characters, at least ${fewestCharacters} are needed`;
  return text.length > mostCharacters
    ? `${text.length} characters, at most ${mostCharacters} are taken`
    : undefined;
}

/**
 * Returns the SHA-256 of a question, the only part kept once it is accepted. Letter case and punctuation at the ends
 * make no difference.
 */
export function questionHash(text: string): Buffer {
  const key = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
  return createHash('sha256')
    .update(key || text)
    .digest();
}
