import { expect, test } from 'vitest';
import { combine, fieldsOf, known, type Origin } from '../../src/db/code/origin.ts';
import { lacking, lackingInRoutes, type Worth, worthOf } from '../../src/status/field-states.ts';

const field = (name: string): Origin => ({ kind: 'field', source: 's', field: name });
const [read, partly, nothing, gone, none] = ['read', 'partly', 'nothing', 'gone', 'none'].map(field);
const facts: Readonly<Record<string, Worth>> = {
  read: 'read',
  partly: 'partly',
  nothing: 'nothing',
  gone: 'no_data',
};
const of = (_: string, name: string): Worth | undefined => facts[name];
const all = (...parts: (Origin | undefined)[]) => combine('all', present(parts));
const any = (...parts: (Origin | undefined)[]) => combine('any', present(parts));
const each = (...parts: (Origin | undefined)[]) => combine('each', present(parts));
const present = (parts: (Origin | undefined)[]) => parts.flatMap((part) => part ?? []);

test('a sum needs all of its fields, and a fallback one of them', () => {
  expect(worthOf(all(read, nothing), of)).toBe('nothing');
  expect(worthOf(any(read, nothing), of)).toBe('read');
  expect(worthOf(any(nothing, partly), of)).toBe('partly');
});

test('a key in place of an unmapped identifier is enough', () => {
  expect(worthOf(any(nothing, known), of)).toBe('read');
});

test('of several routes the best one counts, and those without data do not', () => {
  expect(worthOf(each(nothing, read, gone), of)).toBe('read');
  expect(worthOf(each(nothing, gone), of)).toBe('nothing');
  expect(worthOf(each(gone, gone), of)).toBe('no_data');
});

test('rows that need no field do not hide those that read nothing', () => {
  expect(worthOf(each(nothing, known), of)).toBe('partly');
  expect(worthOf(each(read, known), of)).toBe('read');
});

test('rows that have something to fall back on do not hide those that read nothing', () => {
  const name = each(nothing, any(gone, known));
  expect(worthOf(name, of)).toBe('partly');
  expect(lackingInRoutes(name, of)).toEqual([]);
});

test('a field that people said is nowhere is not missed', () => {
  expect(worthOf(none ?? known, of)).toBeUndefined();
  expect(worthOf(all(read, none), of)).toBe('read');
});

test('only the fields that are in the way are named, each once', () => {
  const origin = all(any(read, partly), each(nothing, gone), nothing);
  expect(lacking(origin, of).map((one) => one.field)).toEqual(['nothing', 'gone']);
  expect(fieldsOf(origin).map((one) => one.field)).toEqual(['read', 'partly', 'nothing', 'gone']);
});

test('an empty view lacks what any of its routes lacks', () => {
  const origin = all(each(nothing, read), each(gone, known), any(partly, read));
  expect(lacking(origin, of)).toEqual([gone]);
  expect(lackingInRoutes(each(nothing, read), of)).toEqual([nothing]);
  expect(lackingInRoutes(each(nothing, known), of)).toEqual([]);
});

test('what is said twice is said once', () => {
  expect(each(each(read, nothing), each(nothing, read))).toEqual({ kind: 'each', of: [read, nothing] });
  expect(all(read, combine('any', []))).toEqual(read);
});
