// Finds the format of a log in its first lines: the one that reads most of them.

import { ConfigError } from '../../core/errors.ts';
import { isObject, type JsonObject, oneLine } from '../../core/text.ts';
import { type CombinedShape, combinedReader } from './combined.ts';
import { csvFormat, w3cFormats } from './header-formats.ts';
import { type JsonMap, jsonMaps } from './json-maps.ts';
import {
  type FoundFormat,
  type LineReading,
  type LogFormat,
  type LogReader,
  nothing,
  unreadable,
} from './log-event.ts';
import { createValueReader, type Meaning, type ValueReader } from './log-values.ts';
import { patternFormat } from './pattern-format.ts';

/** Logs with an object of JSON a line. */
type Entry = readonly [Meaning, readonly (readonly string[])[]];

const jsonFormats: readonly LogFormat[] = jsonMaps.map((map) => ({
  name: map.name,
  find(sample) {
    const objects = sample.map(parseObject).filter((object) => object !== null);
    if (!objects.some((object) => map.has.every((key) => valueAt(object, key.split('.')) !== undefined)))
      return null;
    const entries = entriesOf(map);
    const agentKeys = entries.find(([meaning]) => meaning === 'agent')?.[1] ?? [];
    return {
      name: map.name,
      why: map.why,
      hasAgents: objects.some((object) => agentKeys.some((path) => valueAt(object, path) !== undefined)),
      needsHead: false,
      reader: () => {
        const readValues = createValueReader();
        return { read: (line) => readLine(line, entries, readValues) };
      },
    };
  },
}));

function entriesOf({ keys }: JsonMap): Entry[] {
  return Object.entries(keys).map(([meaning, names]) => [
    meaning as Meaning,
    names.map((name) => name.split('.')),
  ]);
}

function readLine(line: string, entries: readonly Entry[], readValues: ValueReader): LineReading {
  if (line.trim() === '') return nothing;
  const object = parseObject(line);
  if (object === null) return unreadable('no JSON object');
  const values: { [Name in Meaning]?: unknown } = {};
  for (const [meaning, paths] of entries) values[meaning] = firstOf(object, paths);
  return readValues(values);
}

function firstOf(object: JsonObject, paths: readonly (readonly string[])[]): unknown {
  for (const path of paths) {
    const value = valueAt(object, path);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

function parseObject(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function valueAt(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Common is last: a combined line has all that a common line has. One line with a user agent makes it combined. */
const combinedFormats: readonly LogFormat[] = [
  combinedFormat(
    'combined',
    'combined',
    'address, [time], "request", status, size, "referrer", "user agent"',
  ),
  combinedFormat(
    'vhost_combined',
    'vhost',
    'a host before address, [time], "request" and what follows in combined',
  ),
  combinedFormat('common', 'common', 'address, [time], "request", status and size, without a user agent'),
];

function combinedFormat(name: string, shape: CombinedShape, why: string): LogFormat {
  return {
    name,
    find(sample) {
      const reader = () => combinedReader(shape);
      if (shape !== 'common' && !hasCombined(sample, reader())) return null;
      return { name, why, hasAgents: shape !== 'common', needsHead: false, reader };
    },
  };
}

function hasCombined(sample: readonly string[], reader: LogReader): boolean {
  return sample.some((line) => {
    const reading = reader.read(line);
    return reading.kind === 'event' && reading.combined !== null;
  });
}

export interface WantedFormat {
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
}

/** Its message shows a line of the log, so it is for whoever has the log, and for nobody else. */
export class FormatError extends ConfigError {
  readonly withoutLine: string;

  constructor(expected: string, sample: readonly string[], fix: string) {
    super([`Expected ${expected}, got lines such as ${shown(sample)}. ${fix}`]);
    this.withoutLine = `Expected ${expected}, got other lines. ${fix}`;
  }
}

/** In the order of choice where two read as many lines. */
const formats: readonly LogFormat[] = [...combinedFormats, ...jsonFormats, ...w3cFormats, csvFormat];

export const formatNames: readonly string[] = formats.map(({ name }) => name);

/**
 * @param sample the first lines of the file, with its header where it has one
 * @throws FormatError that shows what was seen and names the formats
 */
export function findFormat(sample: readonly string[], wanted: WantedFormat = {}): FoundFormat {
  if (wanted.pattern !== undefined)
    return fitting(patternFormat(wanted.pattern), sample, 'as --pattern says');
  if (wanted.format !== undefined) return wantedFormat(wanted.format, sample);
  let best: FoundFormat | null = null;
  let bestShare = 0;
  for (const format of formats) {
    const found = format.find(sample);
    const share = found === null ? 0 : readShare(found, sample);
    if (share > bestShare) [best, bestShare] = [found, share];
  }
  if (best !== null && bestShare >= 0.5) return best;
  throw new FormatError(
    'an access log in a format that is known',
    sample,
    `Known: ${formatNames.join(', ')}. Say --format NAME, or --pattern with the log_format or LogFormat of the server.`,
  );
}

function wantedFormat(name: string, sample: readonly string[]): FoundFormat {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) {
    throw new ConfigError([
      `Expected --format to be one of ${formatNames.join(', ')}, got "${oneLine(name, 40)}"`,
    ]);
  }
  return fitting(format.find(sample), sample, `in format ${name}`);
}

/** A format that was asked for and reads no line is a mistake worth a word. */
function fitting(found: FoundFormat | null, sample: readonly string[], how: string): FoundFormat {
  if (found !== null && readShare(found, sample) > 0) return found;
  const why = found === null ? undefined : firstWhy(found, sample);
  throw new FormatError(
    `lines ${how}`,
    sample,
    `${why === undefined ? '' : `The first: ${why}. `}Leave --format and --pattern out to have the format found.`,
  );
}

function firstWhy(found: FoundFormat, sample: readonly string[]): string | undefined {
  const reader = found.reader();
  for (const line of sample) {
    const reading = reader.read(line);
    if (reading.kind === 'unreadable') return reading.why;
  }
  return undefined;
}

/** Of the lines that are not headers, comments or blank. */
function readShare(found: FoundFormat, sample: readonly string[]): number {
  const reader = found.reader();
  const kinds = sample.map((line) => reader.read(line).kind).filter((kind) => kind !== 'nothing');
  if (kinds.length === 0) return 0;
  return kinds.filter((kind) => kind === 'event').length / kinds.length;
}

function shown(sample: readonly string[]): string {
  const line = sample.find((one) => one.trim() !== '' && !one.startsWith('#')) ?? sample[0];
  return line === undefined ? 'none' : `"${oneLine(line, 100)}"`;
}
