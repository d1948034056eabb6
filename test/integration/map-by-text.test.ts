// A warehouse of the first release: what is mapped there stays mapped to the same place.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { parsePlace, printPlace } from '../../src/mapping/logical/place.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyTestDatabase();
});

afterAll(() => database.drop());

const mapped: readonly (readonly [string, readonly string[] | null, boolean, string | null])[] = [
  ['score', ['resultado', 'total'], false, 'resultado.total'],
  ['made', ['fecha'], true, '^fecha'],
  ['(rows)', ['grupos', '[]', 'puntos'], true, 'grupos[].puntos'],
  ['kind', null, false, null],
  [
    'odd',
    ['a.b', '[]', ' x', '*', 'say "it\\"', '@key', '0'],
    false,
    String.raw`"a.b"."[]"." x"."*"."say \"it\\\""."@key".0`,
  ],
];

test('paths of the first release become the text of the same places', async () => {
  const run = async (name: string) =>
    await database.pool.query(await readFile(join(packageRoot(), 'sql', 'migrations', name), 'utf8'));
  await database.pool.query('create schema sync');
  await run('000001_create_tables.sql');
  for (const [field, path, ofRecord] of mapped) {
    await database.pool.query(
      `insert into sync.mapping (source, field, path, of_record, origin) values ('s', $1, $2, $3, 'found')`,
      [field, path, ofRecord],
    );
  }
  await database.pool.query(
    `insert into sync.typed_table (source, is_next, stream, mapping, hash) values ('s', false, 's', $1, 'h'), ('t', false, 't', null, '')`,
    [JSON.stringify(mapped.map(([field, path, ofRecord]) => ({ field, path, ofRecord })))],
  );
  await database.pool.query(`
    create view bi.field_catalog as select source, path from sync.mapping;
    create view public.own as select * from bi.field_catalog`);
  await run('000002_map_by_text.sql');

  const texts = Object.fromEntries(mapped.map(([field, , , text]) => [field, text]));
  const { rows } = await database.pool.query<{ field: string; path: string | null }>(
    'select field, path from sync.mapping',
  );
  expect(Object.fromEntries(rows.map(({ field, path }) => [field, path]))).toEqual(texts);
  const tables = await database.pool.query<{ mapping: unknown }>(
    'select mapping from sync.typed_table order by source',
  );
  expect(tables.rows.map(({ mapping }) => mapping)).toEqual([
    mapped.map(([field, , , path]) => ({ field, path })),
    null,
  ]);
  for (const text of Object.values(texts)) {
    if (text !== null) expect(printPlace(parsePlace(text))).toBe(text);
  }
  // Views over the catalog are still there.
  expect((await database.pool.query('select * from public.own')).rows).toEqual([]);
});
