// Reads a CSV answer as the same records its JSON form holds, as JSON text: no number passes through a double.
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { SkippableError } from '../core/errors.ts';

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * The rows as the text of a JSON list of objects, named by the header row. Unquoted cells get the type
 * they look like, quoted ones are strings, unless the header is quoted too and quotes mean nothing.
 * A ragged or malformed row is an error that names its line.
 */
export function csvToJsonList(text: string): string {
  const [header, ...rows] = parseCells(text);
  if (header === undefined) return '[]';
  const names = uniqueNames(header.map((cell) => cell.text)).map((name) => JSON.stringify(name));
  const quotesMatter = !header.some((cell) => cell.quoted);
  const objects = rows.map(
    (row) => `{${row.map((cell, index) => `${names[index]}:${jsonOf(cell, quotesMatter)}`).join(',')}}`,
  );
  return `[${objects.join(',')}]`;
}

function parseCells(text: string): Cell[][] {
  try {
    const cells: unknown = parse(text, {
      bom: true,
      delimiter: detectDelimiter(text),
      skip_empty_lines: true,
      cast: (value: string, context: { readonly quoting: boolean }): Cell => ({
        text: value,
        quoted: context.quoting,
      }),
    });
    return cells as Cell[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as CsvError & Partial<Info>).lines;
    throw new SkippableError(
      `Cannot read the CSV answer${line === undefined ? '' : ` at line ${line}`}: expected every row to have the fields of the header, got ${error.code}. Read the stream as JSON instead, or ask the service.`,
      {},
      { cause: error },
    );
  }
}

/** The candidate that occurs most often in the header row, outside of quotes. */
function detectDelimiter(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    if (quoted) continue;
    if (char === '\n' || char === '\r') break;
    const seen = counts.get(char);
    if (seen !== undefined) counts.set(char, seen + 1);
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** Empty names are numbered by column, repeated ones by occurrence; the first keeps its name. */
function uniqueNames(raw: readonly string[]): string[] {
  const named = raw.map((name, index) => (name.trim() === '' ? `column_${index + 1}` : name));
  const taken = new Set<string>();
  const all = new Set(named);
  return named.map((name) => {
    let unique = name;
    for (let occurrence = 2; taken.has(unique) || (unique !== name && all.has(unique)); occurrence += 1) {
      unique = `${name}_${occurrence}`;
    }
    taken.add(unique);
    return unique;
  });
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function jsonOf(cell: Cell, quotesMatter: boolean): string {
  const { text } = cell;
  // Lists and objects hold commas and quotes, so CSV can only carry them quoted.
  if (/^\s*[[{]/.test(text) && isJson(text)) return text;
  if (cell.quoted && quotesMatter) return JSON.stringify(text);
  if (text === '') return 'null';
  if (jsonNumber.test(text) || text === 'true' || text === 'false') return text;
  return JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
