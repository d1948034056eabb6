// npm run mutation [-- FILE…]: breaks the files that decide, one change at a time, and counts the changes
// that the unit tests notice. Exits 1 where they notice too few. AIRANK_MUTATION_CONCURRENCY: 1 or 2.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../src/cli/print/table.ts';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { decidingFiles, leastScore } from './files.ts';
import { type FileScore, scoresOf, tooWeak } from './score.ts';
import { installStryker, mutate } from './stryker.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code */
async function main(named: readonly string[]): Promise<number> {
  const files = named.length > 0 ? named : decidingFiles;
  const missing = files.filter((file) => !file.startsWith('src/') || !existsSync(join(packageRoot(), file)));
  if (missing.length > 0) {
    say(`Expected files below src, such as src/sync/plan/forecast.ts, got ${missing.join(', ')}`);
    return 1;
  }
  const concurrency = process.env['AIRANK_MUTATION_CONCURRENCY'] === '1' ? 1 : 2;
  const scores = scoresOf(await mutate(await installStryker(say), { files, concurrency }));
  for (const line of scoreLines(scores)) say(line);
  const weak = tooWeak(scores, leastScore);
  if (weak.length === 0) {
    say(`The unit tests notice ${leastScore} % or more in each file`);
    return 0;
  }
  say(
    `Expected ${leastScore} % or more in each file; write tests of ${weak.map(({ file }) => file).join(', ')}`,
  );
  return 1;
}

function scoreLines(scores: readonly FileScore[]): string[] {
  return table(
    [
      ['file', 'score %', 'mutants', 'killed', 'timed out', 'survived', 'no test'],
      ...scores.map(({ file, score, mutants, killed, timeouts, survived, untested }) => [
        ...[file, score === undefined ? 'none' : score.toFixed(1)],
        ...[mutants, killed, timeouts, survived, untested],
      ]),
    ],
    { width: Number.POSITIVE_INFINITY },
  );
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
