import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvToJsonList } from '../../src/api/csv-records.ts';
import { SkippableError } from '../../src/core/errors.ts';

describe('csvToJsonList', () => {
  it('gives unquoted cells the type they look like, with every digit of a number', () => {
    const csv = 'id,v,ok,no,texto,vacio\n9007199254740993,0.1234567890123456789,true,false,hola,\n';
    expect(csvToJsonList(csv)).toBe(
      '[{"id":9007199254740993,"v":0.1234567890123456789,"ok":true,"no":false,"texto":"hola","vacio":null}]',
    );
  });

  it.each(['007', '1,5', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', ' 1', 'True', 'null', '1e'])(
    'keeps %j as a string, because it is no JSON literal',
    (text) => {
      expect(JSON.parse(csvToJsonList(`a;b\n${text};x`))).toEqual([{ a: text, b: 'x' }]);
    },
  );

  it.each([
    ['keeps quoted cells as strings', 'a,b,c\n"1","","x ""y"""\n', '{"a":"1","b":"","c":"x \\"y\\""}'],
    ['infers types where the header is quoted too', '"a","b"\n"1",""\n', '{"a":1,"b":null}'],
    ['embeds JSON', 'a,b,c\n"{""x"":1.50}","[1,2]",{no\n', '{"a":{"x":1.50},"b":[1,2],"c":"{no"}'],
  ])('%s', (_, csv, record) => {
    expect(csvToJsonList(csv)).toBe(`[${record}]`);
  });

  it.each([
    ['comma', 'a,b\n1,"x;y;z"\n', { a: 1, b: 'x;y;z' }],
    ['semicolon', 'a;b\n1;x,y\n', { a: 1, b: 'x,y' }],
    ['tab', 'a\tb\n1\tx,y;z\n', { a: 1, b: 'x,y;z' }],
    ['comma, with quoted separators in the header', '"a;;;",b\n1,x\n', { 'a;;;': 1, b: 'x' }],
    ['none, with one column', 'a\n1\n', { a: 1 }],
    ['comma, after a BOM, with CRLF', '\ufeffa,b\r\n1,x\r\n', { a: 1, b: 'x' }],
    ['comma, with a line break in a cell', 'a,b\n1,"x\ny"\n', { a: 1, b: 'x\ny' }],
  ])('detects the separator: %s', (_name, csv, record) => {
    expect(JSON.parse(csvToJsonList(csv))).toEqual([record]);
  });

  it('gives empty and repeated column names a suffix that stays the same', () => {
    expect(csvToJsonList('a,,a,a_2,a\n1,2,3,4,5\n')).toBe('[{"a":1,"column_2":2,"a_3":3,"a_2":4,"a_4":5}]');
  });

  it.each(['', 'a,b', 'a,b\n', '\ufeffa,b\r\n'])('reads %j as no records', (csv) => {
    expect(csvToJsonList(csv)).toBe('[]');
  });

  it('names the line of a ragged row', () => {
    expect(() => csvToJsonList('a,b\n1,2\n3\n')).toThrow(SkippableError);
    expect(() => csvToJsonList('a,b\n1,2\n3\n')).toThrow(/line 3/);
  });

  it('reports a quote that never closes', () => {
    expect(() => csvToJsonList('a,b\n1,"2\n3,4\n')).toThrow(SkippableError);
  });

  it('brings any table of texts back as it was', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'añ,;"\n\r\t 1\\=') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = `x,y\n${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
        expect(JSON.parse(csvToJsonList(csv))).toEqual(rows.map(([x, y]) => ({ x, y })));
      }),
    );
  });
});
