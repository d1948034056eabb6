// Files of questions in every form, and what becomes of each line.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { type ReadOptions, readQuestions } from '../../src/writes/questions/read-questions.ts';
import { sortQuestions } from '../../src/writes/questions/sort-questions.ts';

const read = (text: string | Uint8Array, options: Partial<ReadOptions> = {}) =>
  readQuestions(typeof text === 'string' ? Buffer.from(text) : text, { name: 'given.txt', ...options });
const texts = (...args: Parameters<typeof read>) => read(...args).questions.map(({ text }) => text);
const refusal = (...args: Parameters<typeof read>) => {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return undefined;
};

const [one, two] = ['¿Qué agencia es mejor?', '¿Cuánto cuesta, más o menos?'];

describe('the form of a file is found by itself:', () => {
  it('lines, with their numbers, blank ones left out', () => {
    expect(read(`\ufeff${one}\r\n\r\n${two}\n`)).toEqual({
      format: 'lines',
      column: undefined,
      questions: [
        { place: 1, text: one },
        { place: 3, text: two },
      ],
      unread: [],
    });
  });

  it.each([
    ['commas', `id,Pregunta\n1,${one}\n2,"${two}"\n`, 'Pregunta'],
    ['semicolons, as Excel writes them in Spain', `id;pregunta\n1;${one}\n2;${two}\n`, 'pregunta'],
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
    expect(texts(text, { column: 'OWN' })).toEqual([two]);
  });

  it.each([
    ['a list of texts', JSON.stringify([one, two]), undefined],
    ['a list of objects', JSON.stringify([{ id: 1, prompt: one }, { prompt: two }], null, 2), 'prompt'],
    ['a list in an object', JSON.stringify({ made: 'today', preguntas: [one, two] }), undefined],
    ['one of several lists', JSON.stringify({ tags: ['a'], questions: [one, two] }), undefined],
  ])('JSON: %s', (_, text, column) => {
    const file = read(text);
    expect(file).toMatchObject({ format: 'json', column, unread: [] });
    expect(file.questions).toEqual([
      { place: 1, text: one },
      { place: 2, text: two },
    ]);
  });

  it('JSON lines, of objects and of texts', () => {
    const objects = `{"question":${JSON.stringify(one)},"tags":["a"]}\n\n{"question":7}\n{"question"\n`;
    expect(read(objects)).toEqual({
      format: 'jsonl',
      column: 'question',
      questions: [{ place: 1, text: one }],
      unread: [
        { place: 3, reason: 'holds a number, no text' },
        { place: 4, reason: 'is no JSON' },
      ],
    });
    expect(read(JSON.stringify({ question: one, tags: ['a'] }))).toMatchObject({ format: 'jsonl' });
    expect(read(`"${one}"\n"${two}"\n`)).toMatchObject({ format: 'jsonl', questions: [{}, { text: two }] });
  });

  it('UTF-16, as some editors write it', () => {
    const little = Buffer.from(`\ufeff${one}\n`, 'utf16le');
    expect(texts(little)).toEqual([one]);
    expect(texts(Buffer.from(little).swap16())).toEqual([one]);
  });

  it('lines that only look a little like something else stay lines', () => {
    expect(read(`Hola, ${one}\nPues, ${two}, dime\n`).format).toBe('lines');
    expect(read(`"Mejor" agencia de Vigo\n${one}\n`).format).toBe('lines');
    expect(texts(`[Vigo] mejor agencia\n${one}`, { format: 'lines' })).toHaveLength(2);
  });
});

describe('a file that cannot be read as what it is says so:', () => {
  it.each([
    [
      'a table without a known column',
      'keyword,volume\nagencia seo,90\n',
      {},
      /a column pregunta, .*"keyword", "volume".*--column/,
    ],
    ['a table of semicolons', 'Palabra clave;Al mes\nagencia seo;pocas\n', {}, /"Palabra clave", "Al mes"/],
    ['a CSV by its name', `${one}\n${two}\n`, { name: 'a.csv' }, /in a\.csv, .*--format lines/],
    [
      'a column that is not there',
      `pregunta\n${one}`,
      { column: 'q' },
      /Expected a column "q".*got "pregunta"/,
    ],
    [
      'quotes that are not closed',
      `pregunta,id\n"${one},1\n`,
      {},
      /CSV, line \d+: expected quotes that are closed/,
    ],
    ['JSON that is cut', '["¿Qué agencia es mejor?",\n"¿Cu', {}, /Expected given\.txt to be JSON/],
    [
      'objects without a known field',
      '[{"keyword":"agencia"}]',
      {},
      /Expected a field pregunta.*got "keyword"/,
    ],
    ['JSON without a list', '{\n"a": 1\n}', {}, /Expected a list of questions/],
    ['another encoding', Buffer.from(one, 'latin1'), {}, /UTF-8.*iconv/],
  ])('%s', (_, text, options, message) => {
    expect(refusal(text, options)).toMatch(message);
  });
});

describe('sorting', () => {
  const sorted = (text: string, allowPersonalData = false) =>
    sortQuestions([{ name: 'a.txt', ...read(text) }], { allowPersonalData });

  it('names each line that is refused, in order, and counts what comes twice', () => {
    const result = sorted(`corta\n${one}\n${one.toUpperCase()}!\n${'a'.repeat(301)}\n`);
    expect(result.fine.map(({ text }) => text)).toEqual([one]);
    expect(result.repeated).toBe(1);
    expect(result.refused).toEqual([
      { file: 'a.txt', place: 1, reason: '5 characters, at least 8 are needed' },
      { file: 'a.txt', place: 4, reason: '301 characters, at most 300 are taken' },
    ]);
  });

  it('names what is no text at its place among the others', () => {
    const result = sorted('["corta",1,"larga"]');
    expect(result.refused.map(({ place }) => place)).toEqual([1, 2, 3]);
  });

  it('holds personal data back, and points it out where it is allowed', () => {
    const text = `${one}\nescríbeme a ana@correo.es\n`;
    const personal = [{ file: 'a.txt', place: 2, found: ['an e-mail address'] }];
    expect(sorted(text)).toMatchObject({ fine: [{ text: one }], personal });
    expect(sorted(text, true)).toMatchObject({ fine: [{}, {}], personal });
  });
});
