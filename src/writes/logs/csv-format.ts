// CSV with a header. A line is a row: a value that goes on in the next line makes both unreadable.
import { usualNames } from './json-maps.ts';
import { type LogReader, nothing, unreadable } from './log-event.ts';
import type { LogFormat } from './log-format.ts';
import { createValueReader, type Meaning } from './log-values.ts';

const delimiters = [',', ';', '\t'] as const;

interface Header {
  readonly delimiter: string;
  readonly meanings: readonly (Meaning | null)[];
}

export const csvFormat: LogFormat = {
  name: 'csv',
  find(sample) {
    const header = headerOf(sample.find((line) => line.trim() !== '') ?? '');
    if (header === null) return null;
    return {
      name: 'csv',
      why: 'a header with the names of a time, a path and a status',
      hasAgents: header.meanings.includes('agent'),
      needsHead: true,
      reader: csvReader,
    };
  },
};

function csvReader(): LogReader {
  const readValues = createValueReader();
  let header: Header | null = null;
  return {
    read(line) {
      if (line.trim() === '') return nothing;
      if (header === null) {
        header = headerOf(line);
        return header === null ? unreadable('no header before it') : nothing;
      }
      const cells = cellsOf(line, header.delimiter);
      if (cells === null) return unreadable('a quoted value without an end on its line');
      if (cells.length !== header.meanings.length) {
        return unreadable(`${cells.length} values where the header has ${header.meanings.length}`);
      }
      const values: { [Name in Meaning]?: string } = {};
      for (let index = 0; index < cells.length; index += 1) {
        const meaning = header.meanings[index];
        if (meaning !== null && meaning !== undefined) values[meaning] ??= cells[index] ?? '';
      }
      return readValues(values);
    },
  };
}

function headerOf(line: string): Header | null {
  const [delimiter] = delimiters.toSorted((one, other) => line.split(other).length - line.split(one).length);
  const names = delimiter === undefined ? null : cellsOf(line, delimiter);
  if (delimiter === undefined || names === null) return null;
  const found = names.map(meaningOf);
  // A column date beside a column time is half of it.
  const date = names.findIndex((name) => /^\s*date\s*$/i.test(name));
  if (date !== -1 && names.some((name) => /^\s*time\s*$/i.test(name))) found[date] = 'date';
  const has = (meaning: Meaning) => found.includes(meaning);
  const isHeader = has('time') && has('status') && (has('path') || has('request'));
  return isHeader ? { delimiter, meanings: found } : null;
}

function meaningOf(name: string): Meaning | null {
  const plain = name
    .trim()
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
  for (const [meaning, names] of Object.entries(usualNames)) {
    if (names.some((one) => one.toLowerCase() === plain)) return meaning as Meaning;
  }
  return null;
}

/** By hand: csv-parse takes 30 µs to begin with a line. */
function cellsOf(line: string, delimiter: string): string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const quoted = line[at] === '"';
    const end = quoted ? closingQuote(line, at + 1) : endOfCell(line, at, delimiter);
    if (end === -1) return null;
    const cell = line.slice(quoted ? at + 1 : at, end);
    cells.push(quoted ? cell.replaceAll('""', '"') : cell);
    const next = quoted ? end + 1 : end;
    if (next < line.length && line[next] !== delimiter) return null;
    at = next + 1;
  }
  return cells;
}

function endOfCell(line: string, from: number, delimiter: string): number {
  const end = line.indexOf(delimiter, from);
  return end === -1 ? line.length : end;
}

/** A doubled quote is one of the value. */
function closingQuote(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 2)) {
    if (line[end + 1] !== '"') return end;
  }
  return -1;
}
