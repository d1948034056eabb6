// The statements of sql/derived/, into which a publish puts the rows that it touched.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { derivedTables, insertDerived } from '../../src/publish/tables/derived.ts';
import { isJudged } from '../../src/publish/tables/mention-tables.ts';

it.each(derivedTables.map((one) => [one.file, one] as const))('%s reads the rows in hand once', (_, one) => {
  const text = insertDerived(one, { from: 'the_rows', where: 'the_condition' });
  expect(text.match(/the_rows as x/g)).toHaveLength(1);
  expect(text.match(/where the_condition/g)).toHaveLength(1);
  expect(text).not.toMatch(/from typed\.|where true/);
});

it('answers that a publish reads for a change are those that the statement counts', () => {
  const text = readFileSync(join(packageRoot(), 'sql/derived/mention_change.sql'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  expect(text).toContain(isJudged('x').replaceAll(/\s+/g, ' '));
  expect(text).toContain('x.date > x.to_date - 56');
});
