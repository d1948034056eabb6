// CSV answers: a JSON list, or a SkippableError; and no row or cell of a well-formed one is lost.
import fc from 'fast-check';
import { csvToJsonList } from '../../../src/api/csv-records.ts';
import { SkippableError } from '../../../src/core/errors.ts';
import { expectSame, fuzzOf, throwsOnly } from './fuzz.ts';

const piece = fc.constantFrom(
  ...[
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '\ufeff',
    ' ',
    'a',
    'ñ',
    '1',
    '-0',
    '1e5',
    '[',
    '{"a":1}',
    '\u0000',
  ],
  ...['null', 'true', '9007199254740993', '01', '.5', '__proto__', '\ud800'],
);

export const fuzzCsvText = fuzzOf(
  'CSV, any text',
  fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  ),
  (text) => {
    const list = throwsOnly(() => csvToJsonList(text), SkippableError);
    if (list !== undefined && !Array.isArray(JSON.parse(list)))
      throw new Error(`no list: ${list.slice(0, 80)}`);
  },
);

const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const cell = fc.string({
  unit: fc.constantFrom('"', ',', ';', '\n', 'x', 'ñ', ' ', '7', '🚀'),
  minLength: 1,
  maxLength: 8,
});
const table = fc.uniqueArray(name, { minLength: 2, maxLength: 5 }).chain((names) =>
  fc.record({
    names: fc.constant(names),
    rows: fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { maxLength: 12 }),
    delimiter: fc.constantFrom(',', ';', '\t'),
    ending: fc.constantFrom('\n', '\r\n'),
  }),
);

export const fuzzCsvTable = fuzzOf('CSV, tables', table, ({ names, rows, delimiter, ending }) => {
  const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter));
  const records: unknown = JSON.parse(csvToJsonList([names.join(delimiter), ...quoted].join(ending)));
  expectSame(
    records,
    rows.map((row) => Object.fromEntries(names.map((key, index) => [key, row[index]]))),
    'the rows',
  );
});
