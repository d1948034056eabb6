// The three formats that `combinedReader` reads, as formats among others.
import { type CombinedShape, combinedReader } from './combined-reader.ts';
import type { LogFormat } from './log-format.ts';

/** Common is last: a combined line has all that a common line has. */
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
    find: () => ({
      name,
      why,
      hasAgents: shape !== 'common',
      needsHead: false,
      reader: () => combinedReader(shape),
    }),
  };
}
