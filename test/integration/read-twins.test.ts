// TypeScript and SQL each say these for where they run, and must agree: what a mapped field reads, the text that reads a path,
// the words for a path, and which values are of different types.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { LogicalType } from '../../src/mapping/logical/logical-source.ts';
import { parsePlace } from '../../src/mapping/logical/place.ts';
import { reach, stepsOf } from '../../src/mapping/logical/place-sql.ts';
import { readSql } from '../../src/mapping/logical/read-sql.ts';
import { readAs } from '../../src/mapping/logical/readers.ts';
import { pathText } from '../../src/store/fields/names.ts';
import { SeenTypes } from '../../src/store/fields/seen-types.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

/** A type and its readers, as `date | dmy`. */
interface Reading {
  readonly type: LogicalType;
  readonly readers: string;
}

function readingOf(text: string): Reading {
  const [type = '', ...readers] = text.split(' | ');
  return { type: type as LogicalType, readers: readers.map((one) => ` | ${one}`).join('') };
}

/** JSON texts, so that no digit is lost on the way. */
async function readInSql(texts: readonly string[], { type, readers }: Reading): Promise<(string | null)[]> {
  const value = readSql(type, parsePlace(`v${readers}`), 'r.payload');
  const shown =
    type === 'timestamptz'
      ? `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : `(${value})::text`;
  const { rows } = await database.pool.query<{ read: string | null }>(
    `select ${shown} as read from unnest($1::text[]) with ordinality as t (given, place)
     cross join lateral (select jsonb_build_object('v', given::jsonb) as payload) as r order by place`,
    [texts],
  );
  return rows.map(({ read }) => read);
}

const numeric: readonly (readonly [string, string | null])[] = [
  ['12.5', '12.5'],
  ['-0', '0'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['"12.5"', '12.5'],
  ['"12,5"', '12.5'],
  ['"3.ª"', '3'],
  ['"2nd"', '2'],
  ['"0,125"', '0.125'],
  // Two numbers, and nobody says which.
  ['"1.234"', null],
  ['"1.234.567,89"', '1234567.89'],
  ['"1.23.456"', null],
  ['"1\u2009234\u2009567"', '1234567'],
  ['"1\u00a0234,50\u202f€"', '1234.50'],
  ['"1\u2019234"', '1234'],
  ['"12 34"', null],
  ['"\u221212,5"', '-12.5'],
  ['"-$1,234.50"', '-1234.50'],
  ['"CA$14,383.32"', '14383.32'],
  ['"12.50 EUR"', '12.50'],
  ['"1.500.000 pyg"', '1500000'],
  ['"5 ABC"', null],
  ['"--5"', null],
  ['"5."', null],
  ['"1e5"', null],
  ['"9007199254740993"', '9007199254740993'],
  ['""', null],
  ['" 7 "', '7'],
  ['null', null],
  ['{"a":1}', null],
];

const date: readonly (readonly [string, string | null])[] = [
  ['"2026-04-03"', '2026-04-03'],
  ['"2026-04-03T23:59:00-05:00"', '2026-04-03'],
  ['"2026-W01"', '2025-12-29'],
  ['"9999-W53"', null],
  ['"0001-W01"', '0001-01-01'],
  ['"13/04/2026"', '2026-04-13'],
  ['"13-04-2026 10:30"', '2026-04-13'],
  ['"03/04/2026"', null],
  ['"31/02/2026"', null],
  ['"29/02/2024"', '2024-02-29'],
  ['"13/04.2026"', null],
  ['"20260403"', null],
  ['"3 de abril de 2026"', '2026-04-03'],
  ['"3 abr. 2026"', '2026-04-03'],
  ['"Apr 3rd, 2026 3:15 p.m."', '2026-04-03'],
  ['"3 de abri de 2026"', null],
  ['"1775174400"', '2026-04-03'],
  ['1775174400', '2026-04-03'],
  ['999999999', null],
  ['"0000-01-01"', null],
  ['"9999-12-31"', '9999-12-31'],
  ['"2026-04-03T24:00:00Z"', null],
  ['"2026-04-03T10:00:60Z"', null],
  ['"13/04/2026 13:00 pm"', null],
  ['" 2026-04-03 "', '2026-04-03'],
  ['""', null],
  ['" "', null],
  ['["2026-04-03"]', null],
];

const cases: Readonly<Record<string, readonly (readonly [string, string | null])[]>> = {
  numeric,
  'numeric | comma': [
    ['"1.234"', '1234'],
    ['"12.345,6"', '12345.6'],
    ['"12.5"', null],
    ['"1,234"', '1.234'],
    ['12.5', '12.5'],
  ],
  'numeric | point': [
    ['"1.234"', '1.234'],
    ['"1,234"', '1234'],
    ['"12,5"', null],
  ],
  'score | percent': [
    ['55', '0.55'],
    ['"55 %"', '0.55'],
    ['"12,5"', '0.125'],
  ],
  rate: [
    ['0.55', '0.55'],
    ['"55 %"', '0.55'],
    ['"0,5"', '0.5'],
    ['"57%"', '0.57'],
  ],
  'rate | comma': [['"1.234,5 %"', '12.345']],
  bigint: [
    ['9223372036854775807', '9223372036854775807'],
    ['"9223372036854775807"', '9223372036854775807'],
    ['"9223372036854775808"', null],
    ['"1.234.567"', '1234567'],
    ['12.0', '12'],
    ['12.5', null],
    ['"12,5"', null],
  ],
  boolean: [
    ...['true', '1', '1.0', '"true"', '"Sí"', '"SÍ"', '" si "', '"YES"', '"1"', '"Verdadero"'].map(
      (one) => [one, 'true'] as const,
    ),
    ...['"activo"', '"Activa"', '"active"', '"on"', '"X"', '"Y"', '"s"'].map((one) => [one, 'true'] as const),
    ...['false', '0', '"no"', '"0"', '"Falso"', '"inactivo"', '"inactiva"', '"Inactive"', '"off"', '"N"'].map(
      (one) => [one, 'false'] as const,
    ),
    ...['2', '"quizá"', '""', 'null', '[true]', '{}'].map((one) => [one, null] as const),
  ],
  date,
  'date | dmy': [
    ['"03/04/2026"', '2026-04-03'],
    ['"04/13/2026"', null],
    ['"29-02-2024"', '2024-02-29'],
    ['"29-02-2023"', null],
    ['"3/4/2026"', '2026-04-03'],
    ['"03/04-2026"', null],
  ],
  'date | mdy': [
    ['"03/04/2026"', '2026-03-04'],
    ['"13/04/2026"', null],
    ['"04/31/2026"', null],
    ['"02-28-0999"', '0999-02-28'],
  ],
  timestamptz: [
    // Cut, not rounded into the next day, and no year that other tools cannot read.
    ['"2026-11-22T23:59:59.9999999Z"', '2026-11-22T23:59:59.999Z'],
    ['"9999-12-31T23:59:59.9999999Z"', null],
    ['"9999-12-30T23:59:59Z"', '9999-12-30T23:59:59.000Z'],
    ['"0001-01-01T00:00:00+05:00"', null],
    ['"0001-01-02T00:00:00Z"', '0001-01-02T00:00:00.000Z'],
    ['"2026-04-03T10:00:00Z"', '2026-04-03T10:00:00.000Z'],
    ['"2026-04-03T10:00:00.123456789+05:30"', '2026-04-03T04:30:00.123Z'],
    ['"2026/04/03 10:00"', '2026-04-03T10:00:00.000Z'],
    ['"13/04/2026, 10:00:30"', '2026-04-13T10:00:30.000Z'],
    ['"13/04/2026 9:05 -03"', '2026-04-13T12:05:00.000Z'],
    ['"April 3, 2026 12:15 AM"', '2026-04-03T00:15:00.000Z'],
    ['"3 abr 2026 3:15 p. m."', '2026-04-03T15:15:00.000Z'],
    ['"3 Apr 2026 10:00 GMT"', '2026-04-03T10:00:00.000Z'],
    ['1775174400', '2026-04-03T00:00:00.000Z'],
    ['1775174400123', '2026-04-03T00:00:00.123Z'],
    ['"1775174400.25"', '2026-04-03T00:00:00.250Z'],
    ['"2026-04-03"', null],
    ['"13/04/2026"', null],
    ['"31/02/2026 10:00"', null],
  ],
  'timestamptz | dmy': [['"31/12/9999 23:59"', null]],
  'timestamptz | mdy': [['"03/04/2026 10:00"', '2026-03-04T10:00:00.000Z']],
  list: [
    ['["a", 1, true, null, "", [2]]', 'a, 1, true'],
    [
      '[{"id": 7, "nombre": "ChatGPT"}, {"url": "u", "x": 1}, {"zz": "z", "b": "first"}, {"n": {}}]',
      'ChatGPT, u, first',
    ],
    ['[{"nombre": "", "label": "L"}]', 'L'],
    ['"a, b"', 'a, b'],
    ['[]', null],
    ['[""]', null],
    ['{"a": 1}', null],
    ['""', null],
  ],
  text: [
    ['"x"', 'x'],
    ['""', null],
    ['12', '12'],
    ['["x"]', null],
    ['{"nombre": "x"}', null],
  ],
  presence: [
    ['"sí"', 'sí'],
    ['3', '3'],
    ['true', 'true'],
    ['{"a": null}', 'true'],
    ['{}', 'false'],
    ['["x"]', 'true'],
    ['[]', 'false'],
    ['null', null],
    ['""', null],
  ],
  'text | join': [['["a", {"name": "b"}, ["c"]]', 'a, b']],
  'text | first': [['[null, "a", "b"]', 'a']],
  'numeric | last': [['[1, "2,5"]', '2.5']],
  'numeric | sum': [
    ['[1, "2,5", "x"]', '3.5'],
    ['["x"]', null],
    ['5', null],
  ],
  'rate | sum | percent': [['[10, 20]', '0.30']],
  'bigint | count': [
    ['[1, null, {}]', '2'],
    ['[]', '0'],
    ['null', null],
  ],
  'bigint | sum': [
    ['[1, 2.5, "2,5"]', '6'],
    // Beside a large number a double loses the fraction.
    ['["17751744000000","0,001"]', null],
  ],
  'date | last | dmy': [['["01/02/2026", "03/04/2026"]', '2026-04-03']],
  'boolean | first': [['["sí", "no"]', 'true']],
};

describe('a value is read in SQL', () => {
  it.each(Object.entries(cases))('as %s', async (reading, table) => {
    const read = await readInSql(
      table.map(([given]) => given),
      readingOf(reading),
    );
    expect(table.map(([given], index) => [given, read[index]])).toEqual(table);
  });
});

/** To the digits that JavaScript is sure of. */
const rounded = (number: number) => Number(number.toPrecision(12)) + 0;

/** Reads with readAs, and returns it as readInSql would. */
function readInTypeScript(text: string, { type, readers }: Reading): string | number | null {
  const read = readAs(type, parsePlace(`v${readers}`).readers, JSON.parse(text));
  if (typeof read === 'number') return rounded(read);
  return read === undefined ? null : String(read);
}

async function expectTwins(texts: readonly string[], reading: Reading): Promise<void> {
  const isNumber = ['numeric', 'score', 'rate', 'bigint'].includes(reading.type);
  const inSql = (await readInSql(texts, reading)).map((read) =>
    read !== null && isNumber ? rounded(Number(read)) : read,
  );
  expect(texts.map((text) => [text, readInTypeScript(text, reading)])).toEqual(
    texts.map((text, index) => [text, inSql[index]]),
  );
}

test.each(Object.keys(cases))('readAs reads every case as SQL does: %s', async (reading) => {
  const texts = Object.values(cases).flatMap((table) => table.map(([given]) => given));
  // As a text, a number literal that JavaScript writes otherwise is another one.
  const same = texts.filter(
    (text) =>
      reading.startsWith('numeric') || JSON.stringify(JSON.parse(text)) === text || /\D/.test(text[0] ?? ''),
  );
  await expectTwins(same, readingOf(reading));
});

const parts = [
  ...'0 1 3 12 13 31 02 29 2024 2026 0000 9999 234 1775174400 +02 e5'.split(' '),
  ...'abril Apr de EUR BOB x sí pm 10:30 24:00 É'.split(' '),
  ..."/-., :'%€$+\u2212\u00a0\u2009TZ\n",
];

test('readAs reads any text as SQL does', async () => {
  const readings = Object.keys(cases).map(readingOf);
  const text = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join('')),
    fc
      .tuple(
        fc.nat(32),
        fc.constantFrom('/', '-', '.', ' '),
        fc.nat(13),
        fc.constantFrom(2026, 2024, 1, 0, 9999),
      )
      .map(([day, mark, month, year]) => `${day}${mark}${month}${mark}${String(year).padStart(4, '0')}`),
    fc
      .tuple(
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        fc.nat(999),
        fc.constantFrom('de-DE', 'en-US', 'es-ES', 'fr-FR'),
      )
      .map(([whole, part, locale]) =>
        new Intl.NumberFormat(locale, { minimumFractionDigits: 0 }).format(whole + part / 1000),
      ),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 20, maxLength: 60 }),
      fc.constantFrom(...readings),
      async (values, reading) => {
        await expectTwins(
          values.map((one) => JSON.stringify(one)),
          reading,
        );
      },
    ),
    { numRuns: 400, endOnFailure: true },
  );
});

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

const typed = [
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
    [typed],
  );
  const types = rows[0]?.types ?? [];
  const unnoticed = typed.flatMap((known, one) =>
    typed
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
