import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRejects } from '../../../src/writes/push/rejects.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airank-rejects-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = (number: number) => ({
  number,
  fromByte: number * 100,
  why: 'no time',
  text: 'x'.repeat(1_000),
});

test('lines that cannot be read are written while the log is read, and not held until its end', async () => {
  const path = join(folder, 'many.txt');
  const rejects = createRejects(path);
  for (let number = 0; number < 2_000; number += 1) rejects.add('access.log', line(number));
  // Nothing was waited for.
  expect(statSync(path).size).toBeGreaterThan(1_900_000);
  await rejects.close();
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2_000);
});

test.skipIf(process.platform === 'win32')(
  'a file that others may read becomes one of its owner',
  async () => {
    const path = join(folder, 'open.txt');
    writeFileSync(path, 'earlier\n', { mode: 0o644 });
    const rejects = createRejects(path);
    rejects.add('a\nb.log', line(1));
    await rejects.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^earlier\na b\.log\t100\tno time\tx+\n$/);
  },
);
