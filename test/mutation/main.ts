// npm run mutation [-- FILE…]: breaks the files that decide, one change at a time, and counts the changes
// that the unit tests notice. Exits 1 where they notice too few. AIRANK_MUTATION_CONCURRENCY: 1 or 2.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package.ts';
import { installStryker, mutate } from './stryker.ts';

/** Percent of its mutants that the unit tests must notice, in each file. */
const leastScore = 85;

const decidingFiles: readonly string[] = [
  'src/api/classify.ts',
  'src/api/paginate.ts',
  'src/jobs/schedule/overdue.ts',
  'src/streams/fields/client-field.ts',
  'src/streams/fields/judge-body.ts',
  'src/streams/fields/judge-body.ts',
  'src/sync/walk/confirmation.ts',
  'src/sync/plan/forecast.ts',
  'src/sync/plan/plan.ts',
  'src/sync/walk/walk-guard.ts',
  'src/publish/vanish-rule.ts',
  'src/store/slices/walk-history.ts',
];

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
  const report = await mutate(await installStryker(say), { files, concurrency });
  const weak = Object.entries(report.files).filter(([file, { mutants }]) => {
    const having = (...wanted: readonly string[]) =>
      mutants.filter(({ status }) => wanted.includes(status)).length;
    // What cannot run (an error of the compiler) counts nowhere.
    const [noticed, missed] = [having('Killed', 'Timeout'), having('Survived', 'NoCoverage')];
    const score = (noticed / (noticed + missed)) * 100;
    say(`${file}: ${noticed} of ${noticed + missed} noticed, ${score.toFixed(1)} %`);
    return !(score >= leastScore);
  });
  if (weak.length === 0) return 0;
  say(
    `Expected ${leastScore} % or more in each file; write tests of ${weak.map(([file]) => file).join(', ')}`,
  );
  return 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
