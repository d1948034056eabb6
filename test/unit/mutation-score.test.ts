import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/core/package-root.ts';
import { decidingFiles } from '../mutation/files.ts';
import { type MutantStatus, scoresOf, tooWeak } from '../mutation/score.ts';

const scoresFor = (files: Readonly<Record<string, readonly MutantStatus[]>>) =>
  scoresOf({
    files: Object.fromEntries(
      Object.entries(files).map(([file, all]) => [file, { mutants: all.map((status) => ({ status })) }]),
    ),
  });

test('counts what is noticed against what can run, in the order of the files', () => {
  const scores = scoresFor({
    'src/b.ts': ['Killed', 'Killed', 'Timeout', 'Survived', 'CompileError', 'Ignored'],
    'src/a.ts': ['Killed', 'NoCoverage'],
  });
  expect(scores).toEqual([
    { file: 'src/a.ts', score: 50, mutants: 2, killed: 1, timeouts: 0, survived: 0, untested: 1 },
    { file: 'src/b.ts', score: 75, mutants: 4, killed: 2, timeouts: 1, survived: 1, untested: 0 },
  ]);
});

test('fails each file below the least score, and one of which nothing is known', () => {
  const scores = scoresFor({
    'src/at.ts': ['Killed', 'Survived'],
    'src/below.ts': ['Killed', 'Survived', 'Survived'],
    'src/nothing.ts': ['CompileError'],
  });
  expect(tooWeak(scores, 50).map(({ file }) => file)).toEqual(['src/below.ts', 'src/nothing.ts']);
});

test('breaks files that are there', () => {
  expect(decidingFiles.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
});
