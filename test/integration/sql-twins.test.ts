// TypeScript and SQL each say these for where they run, and must agree: the text that reads a path, the words for a
// path, and which values are of different types.
import { expect, test } from 'vitest';
import { reach, stepsOf } from '../../src/mapping/logical/place-sql.ts';
import { pathText } from '../../src/store/fields/names.ts';
import { SeenTypes } from '../../src/store/fields/seen-types.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const steps = ['a', 'B c', '0', "it's", '"', '\\', '[', 'ñ.x', '', '%s', '$1'];

test('the value at a path is read by the same text', async () => {
  for (const path of [[], ...steps.map((step) => [step]), steps]) {
    const { rows } = await database.pool.query<{ text: string }>(
      `select sync.path_sql('r.payload', $1) as text`,
      [path],
    );
    // A text with a backslash is quoted with a blank more by one of them.
    const { value } = reach('r.payload', stepsOf(path), 'e');
    expect(rows[0]?.text.replaceAll(/ +E'/g, " E'")).toBe(value.replaceAll(/ +E'/g, " E'"));
  }
});

const nested = {
  a: { list: [{ 'B c': [1, 2] }, 3, { 'B c': 'x' }, { 'B c': [4, { d: 5 }] }] },
  "it's": [[1, 2], 3, [[4]], null],
  '\\': 'no list',
};

test.each([
  [['a', 'list']],
  [['a', 'list', '[]', 'B c']],
  [["it's"]],
  [["it's", '[]']],
  [['\\']],
  [['nowhere']],
])('the elements of the list at %j are the same ones', async (list) => {
  const elements = reach('r.payload', stepsOf([...list, '[]']), 'e');
  const { rows } = await database.pool.query<{ items: string; value: string }>(
    'select * from sync.path_from($1)',
    [[...list, '[]']],
  );
  const read = async (from: string, value: string) =>
    (
      await database.pool.query(`select ${value} as value from (select $1::jsonb as payload) as r ${from}`, [
        JSON.stringify(nested),
      ])
    ).rows;
  const [{ items: from, value } = { items: '', value: '' }] = rows;
  const joined = elements.items.map((item) => `cross join lateral ${item}`).join('\n');
  expect(await read(from, value)).toEqual(await read(joined, elements.value));
});

test('a path below the record has the same text', async () => {
  for (const path of [['a'], ['a', '[]', 'b'], ['a', '[]', '[]', 'b c'], ['[]'], steps]) {
    const { rows } = await database.pool.query<{ text: string }>('select sync.path_text($1) as text', [path]);
    expect(rows[0]?.text).toBe(pathText(path));
  }
});

const values = [
  ...'null true 0 1 -0 1.0 1e0 1.5 9007199254740993 99999999999999999999 1e400 0.1e1 "" "x" "1"'.split(' '),
  ...'"2026-01-31" "2026-02-30" "2024-02-29" "2023-02-29" "0000-01-01" "2026-1-1" "2026-01-31T10:00:00Z"'.split(
    ' ',
  ),
  ...'"2026-01-31t10:00:60Z" "2026-01-31T24:00:00Z" "2026-02-30T10:00Z"'.split(' '),
  ...'"2026-01-31T10:00:00.123456789+05:30" "2026-01-31T10:00:00+16:00" "2026-01-31Tx"'.split(' '),
  ...'"2026-01-31T10:00:00,5Z" "10000-01-01" {} {"a":1} [] [1]'.split(' '),
  ...['" "', '"2026-01-31 10:00"', '"2026-01-31T10:00 +05"', '"2026-01-31 "'],
];

test('of two values of different types for Postgres, the second one is new to a walk', async () => {
  const { rows } = await database.pool.query<{ types: string[] }>(
    'select array_agg(sync.json_type(v::jsonb) order by place) as types from unnest($1::text[]) with ordinality as u (v, place)',
    [values],
  );
  const types = rows[0]?.types ?? [];
  const unnoticed = values.flatMap((known, one) =>
    values
      .filter((value, other) => {
        if (types[one] === types[other]) return false;
        const seen = new SeenTypes();
        const [first, second] = [`[{"v":${known}}]`, `[{"v":${value}}]`];
        seen.areNew(JSON.parse(first) as unknown[], first);
        return !seen.areNew(JSON.parse(second) as unknown[], second);
      })
      .map((value) => `${known} then ${value}`),
  );
  expect(new Set(types).size).toBe(10);
  expect(unnoticed).toEqual([]);
});
