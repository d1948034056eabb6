// Checks what the files of sql/code have in common.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';

test('every function says in the database what it is for', async () => {
  const { functions } = await readCodeFiles(join(packageRoot(), 'sql'));
  expect(functions.length).toBeGreaterThan(50);
  const silent = functions.filter(
    ({ schema, function: name, text }) => !text.includes(`comment on function ${schema}.${name} is`),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});
