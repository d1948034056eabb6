import { describe, expect, it } from 'vitest';
import { checkConfigured, parseFieldPlace, parsePathOf } from '../../src/mapping/change-mapping.ts';
import { cases } from '../support/cases.ts';

const check = (field: string, path: string) => parsePathOf(parseFieldPlace(field), path);

describe('a path', () => {
  it.each([
    ['rank_now.score', 'resultado.total | comma | percent'],
    ['rank_now.date', 'fechas | last | dmy'],
    ['rank_now.reasons', 'razones[].texto'],
    ['predictions.(rows)', '^series[0].motores.*'],
    ['predictions.method', '@key'],
    ['predictions.score', '@value | point'],
    ['predictions.made', '^"@key" | mdy'],
    ['citations.citations', 'apariciones | count'],
    ['products.currency', '^^moneda'],
    ['predictions.made', '^^fechas | last | dmy'],
  ])('of %s may be %s', (field, path) => {
    expect(() => check(field, path)).not.toThrow();
  });

  it.each(
    cases(`
  rank_now.score => a | dmy => to have a reader for score (first, last, count, sum, comma, point, percent), got "a | dmy". Leave out dmy
  rank_now.date => a | comma => to have a reader for date (first, last, dmy, mdy)
  rank_now.date => a | dmy | mdy => to have one of dmy and mdy, got "a | dmy | mdy". Leave out mdy
  rank_now.score => a[] | first | sum => to have one of first and sum
  rank_now.score => a[].b => to say which value of [] counts (first, last, count, sum), got "a[].b". Such as: a[].b | first
  rank_now.score => a.* => to have no *, got "a.*". Map rank_now.(rows) to the map
  rank_now.score => @key => to have @key or @value alone
  predictions.(rows) => a | first => to have no reader
  predictions.(rows) => ^^serie => to lead to a list in the record, got "^^serie". Leave out ^^
  products.client => ^^cliente => to stay in the record, got "^^cliente"
  claims.brand => ^^marca => to have no ^^, got "^^marca". Its records are the data beside the list: write ^
  predictions.method => ^^@key => to have @key or @value alone
`),
  )('of %s cannot be %s', (field, path, message) => {
    expect(() => check(field, path)).toThrow(`Expected the path of ${field} ${message}`);
  });
});

it('the configuration names each field and path that cannot be', () => {
  const paths = { 'rank_now.scor': 'a', 'rank_now.date': 'a | comma', 'rank_now.kind': null };
  const check = () => checkConfigured(paths);
  expect(check).toThrow(
    'mapping.rank_now.date: Expected the path of rank_now.date to have a reader for date',
  );
});
