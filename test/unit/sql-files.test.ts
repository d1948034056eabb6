import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';
import { derivedTables, insertDerived } from '../../src/publish/tables/derived.ts';

it.each(derivedTables.map((one) => [one.file, one] as const))('%s reads the rows in hand once', (_, one) => {
  const text = insertDerived(one, { from: 'the_rows', where: 'the_condition' });
  expect(text.match(/the_rows as x/g)).toHaveLength(1);
  expect(text.match(/where the_condition/g)).toHaveLength(1);
  expect(text).not.toMatch(/from typed\.|where true/);
});

test('every function says in the database what it is for', async () => {
  const { functions } = await readCodeFiles(join(packageRoot(), 'sql'));
  expect(functions.length).toBeGreaterThan(50);
  const silent = functions.filter(
    ({ schema, function: name, text }) => !text.includes(`comment on function ${schema}.${name} is`),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});
