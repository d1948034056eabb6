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

test.each([
  ['a sum needs all of its fields', all(read, nothing), 'nothing'],
  ['a fallback needs one of them', any(read, nothing), 'read'],
  ['a fallback is as good as the best of them', any(nothing, partly), 'partly'],
  ['a key in place of an unmapped identifier is enough', any(nothing, known), 'read'],
  ['of several routes the best one counts', each(nothing, read, gone), 'read'],
  ['routes without data do not count', each(nothing, gone), 'nothing'],
  ['routes without data are without data together', each(gone, gone), 'no_data'],
  ['rows that need no field do not hide those that read nothing', each(nothing, known), 'partly'],
  ['rows that need no field take nothing from others', each(read, known), 'read'],
])('%s', (_, origin, worth) => {
  expect(worthOf(origin, of)).toBe(worth);
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
