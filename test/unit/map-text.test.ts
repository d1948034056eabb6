// What `airank map` prints: shares, and the section of the configuration.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mappingYaml, percent } from '../../src/cli/commands/map-text.ts';

test('shares are whole percent, and 0 and 100 only where it is so', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
});

const stored = (field: string, path: string | null, origin: 'found' | 'command' | 'configuration') => ({
  source: 'rank_now',
  field,
  path,
  origin,
});

test('the section holds what was found and said, and what the configuration says by now', () => {
  const rows = [
    stored('score', 'resultado.total', 'found'),
    stored('kind', null, 'command'),
    stored('method', 'metodo', 'configuration'),
    stored('date', 'fecha | dmy', 'configuration'),
  ];
  expect(mappingYaml(rows, { 'rank_now.score': 'a', 'rank_now.date': 'fecha | mdy' })).toBe(
    'mapping:\n  rank_now.date: fecha | mdy\n  rank_now.score: a\n  rank_now.kind: null\n',
  );
  expect(mappingYaml([], {})).toBe('mapping: {}\n');
});

test('any path is read from the section as it was', () => {
  const path = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('@key', '12', 'null', '~', '"a.b".c'));
  fc.assert(
    fc.property(path, (text) => {
      const section = mappingYaml([stored('score', text, 'command')], {});
      expect(parse(section)).toEqual({ mapping: { 'rank_now.score': text } });
    }),
  );
});
