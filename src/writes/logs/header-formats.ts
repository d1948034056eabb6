// Formats whose head says what stands where: CSV with a header, and W3C extended logs with `#Fields`.

import { usualNames } from './json-maps.ts';
import { type LineReading, type LogFormat, type LogReader, nothing, unreadable } from './log-event.ts';
import { createValueReader, type LogValues, type Meaning, type ValueReader } from './log-values.ts';

/**
 * W3C: IIS with blanks between values, CloudFront with tabs. `#Fields` may come again in the middle of a file, after a restart.
 */
const fieldsLine = /^#Fields:\s*(.+)$/i;

const w3cMeanings: Readonly<Record<string, Meaning>> = {
  date: 'date',
  time: 'time',
  'cs-host': 'host',
  'cs(host)': 'host',
  // CloudFront: what the visitor asked for, where cs(host) is its own name.
  'x-host-header': 'host',
  'c-ip': 'ip',
  'cs-method': 'method',
  'cs-uri': 'path',
  'cs-uri-stem': 'path',
  'cs-uri-query': 'query',
  'cs-version': 'protocol',
  'cs-protocol-version': 'protocol',
  'sc-status': 'status',
  'sc-bytes': 'bytes',
  'cs(referer)': 'referrer',
  'cs(user-agent)': 'agent',
};

const byName: LogFormat = {
  name: 'w3c',
  find(sample) {
    const fields = sample.map((line) => fieldsLine.exec(line)?.[1]).find((found) => found !== undefined);
    if (fields === undefined) return null;
    const isCloudFront = /\bx-edge-/i.test(fields);
    return {
      name: isCloudFront ? 'cloudfront' : 'w3c',
      why: `#Fields with ${isCloudFront ? 'x-edge- names, as CloudFront writes them' : 'names of W3C, as IIS writes them'}`,
      hasAgents: /cs\(user-agent\)/i.test(fields),
      needsHead: true,
      reader: w3cReader,
    };
  },
};

export const w3cFormats: readonly LogFormat[] = [byName, { ...byName, name: 'cloudfront' }];

/** Names of the values, and how they are written. */
interface Fields {
  readonly meanings: readonly (Meaning | null)[];
  readonly isCloudFront: boolean;
}

function w3cReader(): LogReader {
  const readValues = createValueReader();
  let fields: Fields | null = null;
  return {
    read(line) {
      if (line.trim() === '') return nothing;
      if (!line.startsWith('#'))
        return fields === null ? unreadable('no #Fields before it') : readLine(line, fields, readValues);
      const names = fieldsLine.exec(line)?.[1];
      if (names !== undefined) fields = fieldsOf(names);
      return nothing;
    },
  };
}

function fieldsOf(text: string): Fields {
  const names = text.trim().toLowerCase().split(/\s+/);
  const isCloudFront = names.some((name) => name.startsWith('x-edge-'));
  return {
    meanings: names.map((name) =>
      name === 'time-taken' ? (isCloudFront ? 'seconds' : 'ms') : (w3cMeanings[name] ?? null),
    ),
    isCloudFront,
  };
}

function readLine(line: string, fields: Fields, readValues: ValueReader): LineReading {
  const cells = line.split(line.includes('\t') ? '\t' : ' ');
  if (cells.length !== fields.meanings.length) {
    return unreadable(`${cells.length} values where #Fields has ${fields.meanings.length}`);
  }
  const values: { [Name in Meaning]?: string } = {};
  for (let index = 0; index < cells.length; index += 1) {
    const [cell, meaning] = [cells[index], fields.meanings[index]];
    if (meaning === null || meaning === undefined || cell === undefined || cell === '-') continue;
    values[meaning] = meaning === 'agent' || meaning === 'referrer' ? decodedCell(cell, fields) : cell;
  }
  // The W3C has seconds with a fraction where IIS has milliseconds.
  const inSeconds = values.ms?.includes('.') === true;
  const timed: LogValues = inSeconds ? { ...values, ms: undefined, seconds: values.ms } : values;
  return readValues(timed);
}

/** IIS writes a plus for a blank, CloudFront percent signs, and earlier twice. */
function decodedCell(cell: string, { isCloudFront }: Fields): string {
  if (!isCloudFront) return cell.replaceAll('+', ' ');
  const once = percentDecoded(cell);
  return /%20/.test(once) && !once.includes(' ') ? percentDecoded(once) : once;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const delimiters = [',', ';', '\t'] as const;

interface Header {
  readonly delimiter: string;
  readonly meanings: readonly (Meaning | null)[];
}

/** A line is a row: a value that goes on in the next line makes both unreadable. */
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
