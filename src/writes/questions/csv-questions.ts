// Questions out of a column of a CSV.
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { ConfigError } from '../../core/errors.ts';
import { findColumn, toldColumns } from './question-column.ts';
import type { QuestionFile, ReadOptions } from './question-file.ts';

/** A record with the line on which it begins. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** @throws ConfigError where it is no CSV, or no column of the kind is there */
export function readCsvQuestions(text: string, { name, column }: ReadOptions): QuestionFile {
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
export function looksLikeTable(text: string): boolean {
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
