import { expect, test } from 'vitest';
import { fuzzFormat } from './fuzz-format.ts';
import { logSamples, moreSamples } from './log-samples.ts';

/** `test/bench/logs/fuzz.ts` takes 100,000 of each format. */
const lines = 2_000;

test.each([...logSamples, ...moreSamples])(
  'damaged lines in format $name are sent or counted, each once',
  async (sample) => {
    for (const form of ['text', 'json'] as const) {
      const fuzzed = await fuzzFormat(sample, lines, form);
      expect(fuzzed.faults.slice(0, 3)).toEqual([]);
      expect(fuzzed.sent).toBeGreaterThan(lines / 5);
      expect(fuzzed.unreadable).toBeGreaterThan(lines / 20);
    }
  },
);
