// The three formats that `combinedReader` reads, as formats among others.
import { type CombinedShape, combinedReader } from './combined-reader.ts';
import type { LogReader } from './log-event.ts';
import type { LogFormat } from './log-format.ts';

/** Common is last: a combined line has all that a common line has. One line with a user agent makes it combined. */
export const combinedFormats: readonly LogFormat[] = [
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
