// Finds the format of a log in its first lines: the one that reads most of them.
import { ConfigError } from '../../core/errors.ts';
import { oneLine } from '../../core/one-line.ts';
import { combinedFormats } from './combined-formats.ts';
import { csvFormat } from './csv-format.ts';
import { jsonFormats } from './json-format.ts';
import type { FoundFormat } from './log-event.ts';
import type { LogFormat } from './log-format.ts';
import { patternFormat } from './pattern-format.ts';
import { w3cFormats } from './w3c-format.ts';

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
