// Folders for what a test writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';

const make = () => mkdtempSync(join(tmpdir(), 'airank-test-'));
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** One for all tests of a file, removed after them. */
export function oneFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/** One that each test gets anew; gives paths in it. */
export function eachFolder(): (...names: readonly string[]) => string {
  let folder = '';
  beforeEach(() => {
    folder = make();
  });
  afterEach(() => remove(folder));
  return (...names) => join(folder, ...names);
}
