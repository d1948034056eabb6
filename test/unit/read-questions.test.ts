// Files of questions in every form, and what becomes of each line.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { readQuestions, sortQuestions } from '../../src/writes/read-questions.ts';

const read = (text: string | Uint8Array, name = 'given.txt', column?: string) =>
  readQuestions(typeof text === 'string' ? Buffer.from(text) : text, name, column);
const texts = (...args: Parameters<typeof read>) => read(...args).questions.map(({ text }) => text);

const [one, two] = ['¿Qué agencia es mejor?', '¿Cuánto cuesta, más o menos?'];

const excel = `id;pregunta\r\n1;${one}\r\n2;${two}\r\n`;

describe('the form of a file is found by itself:', () => {
  it('lines, with their numbers, blank ones left out', () => {
    const { format, questions } = read(`\ufeff${one}\r\n\r\n${two}\n`);
    expect(format).toBe('lines');
    expect(questions.map(({ place, text }) => [place, text])).toEqual(
      [1, 3].map((at, i) => [at, [one, two][i]]),
    );
  });

  it.each([
    ['commas', `id,Pregunta\n1,${one}\n2,"${two}"\n`, 'Pregunta'],
    ['semicolons, as Excel writes them in Spain', `\ufeff${excel}`, 'pregunta'],
    ['a line that says the delimiter, as Excel reads it', `\ufeffsep=;\r\n${excel}`, 'pregunta'],
    ['tabs', `volume\tquery\n12\t${one}\n3\t${two}`, 'query'],
    ['one column', `prompt\n${one}\n"${two}"`, 'prompt'],
  ])('CSV with %s, by the name of its column', (_, text, column) => {
    const file = read(text);
    expect(file).toMatchObject({ format: 'csv', column });
    expect(file.questions.map((question) => question.text)).toEqual([one, two]);
  });

  it('CSV with the line on which a question begins, also after one of several lines', () => {
    const file = read(`text,id\n"first\nline, second",1\n\n${one},2\n`);
    expect(file.questions.map(({ place }) => place)).toEqual([2, 5]);
  });

  it('CSV takes the column that is more like it, or the one that is named', () => {
    const text = `text,question,own\na long text,${one},"${two}"`;
    expect(texts(text)).toEqual([one]);
    expect(texts(text, 'a.csv', 'OWN')).toEqual([two]);
  });

  it('JSON lines, of objects and of texts', () => {
    const objects = `{"question":${JSON.stringify(one)},"tags":["a"]}\n\n{"question":7}\n{"question"\n`;
    expect(read(objects)).toMatchObject({ format: 'jsonl', column: 'question' });
    expect(read(objects).questions).toEqual([
      { place: 1, text: one },
      { place: 3, text: undefined },
      { place: 4, text: undefined },
    ]);
    expect(texts(`"${one}"\n"${two}"\n`)).toEqual([one, two]);
  });

  it('UTF-16, as some editors write it', () => {
    const little = Buffer.from(`\ufeff${one}\n`, 'utf16le');
    expect(texts(little)).toEqual([one]);
    expect(texts(Buffer.from(little).swap16())).toEqual([one]);
  });
});

it.each([
  [
    'a CSV without a known column',
    'keyword,volume\nagencia,90\n',
    undefined,
    /field pregunta, .*"keyword", "volume"/,
  ],
  ['a column that is not there', `pregunta\n${one}`, 'q', /column or field "q".*got "pregunta"/],
  ['quotes that are not closed', `pregunta,id\n"${one},1\n`, undefined, /CSV, line \d+: expected quotes/],
  ['objects without a known field', '{"keyword":"agencia"}', undefined, /field pregunta.*got "keyword"/],
  ['another encoding', Buffer.from(one, 'latin1'), undefined, /UTF-8.*iconv/],
])('a file that cannot be read as what it is says so: %s', (_, text, column, message) => {
  const reading = () => read(text, 'a.csv', column);
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(message);
});

describe('sorting', () => {
  const sorted = (text: string, allowPersonalData = false) =>
    sortQuestions([{ ...read(text), name: 'a.txt' }], { allowPersonalData });

  it('names each line that is refused, in order, and counts what comes twice', () => {
    const lines = ['corta', one, `${one.toUpperCase()}!`, 'a'.repeat(301), 'un \ufffd que no se lee'];
    const result = sorted(lines.join('\n'));
    expect(result.fine.map(({ text }) => text)).toEqual([one]);
    expect(result.repeated).toBe(1);
    expect(result.refused).toEqual([
      { file: 'a.txt', place: 1, reason: '5 characters, at least 8 are needed' },
      { file: 'a.txt', place: 4, reason: '301 characters, at most 300 are taken' },
      { file: 'a.txt', place: 5, reason: 'holds control characters, or letters that could not be read' },
    ]);
  });

  it.each(['a'.repeat(8), 'a'.repeat(300), '😀'.repeat(8), '😀'.repeat(150)])('takes %s', (text) => {
    expect(sorted(text).fine).toHaveLength(1);
  });

  it('sends blanks as one, and letters composed', () => {
    expect(sorted('  cafe\u0301   con \u00a0 leche ').fine).toMatchObject([{ text: 'café con leche' }]);
  });

  it.each([
    ['escríbeme a ana@correo.es', 'an e-mail address'],
    ['llámame al +34 612 345 678', 'a phone number, an account or a document'],
    ['mi cuenta es ES91 2100 0418 4502 0005 1332', 'a phone number, an account or a document'],
    ['mi DNI es 12345678Z, ¿vale?', 'a phone number, an account or a document'],
  ])('holds personal data back, and points it out where it is allowed: %s', (text, reason) => {
    const personal = [{ file: 'a.txt', place: 2, reason }];
    expect(sorted(`${one}\n${text}`)).toMatchObject({ fine: [{ text: one }], personal });
    expect(sorted(`${one}\n${text}`, true)).toMatchObject({ fine: [{}, {}], personal });
  });

  it('takes no years or prices for somebody', () => {
    expect(sorted('¿Qué cambió entre 2024 y 2026 por menos de 1.500 €?').personal).toEqual([]);
  });
});
