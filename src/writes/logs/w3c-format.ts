// W3C extended logs: IIS with blanks between values, CloudFront with tabs. `#Fields` says which values, and may
// come again in the middle of a file, after a restart.
import { type LineReading, type LogReader, nothing, unreadable } from './log-event.ts';
import type { LogFormat } from './log-format.ts';
import { createValueReader, type LogValues, type Meaning, type ValueReader } from './log-values.ts';

const fieldsLine = /^#Fields:\s*(.+)$/i;

const meaningOf: Readonly<Record<string, Meaning>> = {
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
      name === 'time-taken' ? (isCloudFront ? 'seconds' : 'ms') : (meaningOf[name] ?? null),
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
    values[meaning] = meaning === 'agent' || meaning === 'referrer' ? decoded(cell, fields) : cell;
  }
  // The W3C has seconds with a fraction where IIS has milliseconds.
  const inSeconds = values.ms?.includes('.') === true;
  const timed: LogValues = inSeconds ? { ...values, ms: undefined, seconds: values.ms } : values;
  return readValues(timed);
}

/** IIS writes a plus for a blank, CloudFront percent signs, and earlier twice. */
function decoded(cell: string, { isCloudFront }: Fields): string {
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
