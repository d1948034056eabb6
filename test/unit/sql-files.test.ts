// The files of sql/: what a publish puts where, and that each function says what it is for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';
import { derivedTables, insertDerived } from '../../src/publish/tables/derived.ts';
import { dateOf, isJudged, weekOf } from '../../src/publish/tables/mention-tables.ts';

it.each(derivedTables.map((one) => [one.file, one] as const))('%s reads the rows in hand once', (_, one) => {
  const text = insertDerived(one, { from: 'the_rows', where: 'the_condition' });
  expect(text.match(/the_rows as x/g)).toHaveLength(1);
  expect(text.match(/where the_condition/g)).toHaveLength(1);
  expect(text).not.toMatch(/from typed\.|where true/);
});

const folded = (text: string) => text.replaceAll(/\s+/g, ' ');
const statementOf = (file: string) =>
  folded(readFileSync(join(packageRoot(), `sql/derived/${file}.sql`), 'utf8'));

it('answers that a publish reads for a change are those that the statement counts', () => {
  const text = statementOf('mention_change');
  expect(text).toContain(folded(isJudged('x')));
  expect(text).toContain('x.date > x.to_date - 56');
});

it('weeks that a publish reads again are those that the statement counts', () => {
  const text = statementOf('mention_count');
  expect(text).toContain(weekOf(dateOf('x')));
  expect(text).toContain("x.until = 'infinity'");
});

test('every function says in the database what it is for', async () => {
  const { functions } = await readCodeFiles(join(packageRoot(), 'sql'));
  expect(functions.length).toBeGreaterThan(50);
  const silent = functions.filter(
    ({ schema, function: name, text }) => !text.includes(`comment on function ${schema}.${name} is`),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});
