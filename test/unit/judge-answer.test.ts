// One answer against what is known: its records, or the rule by which it is refused.
import { describe, expect, it } from 'vitest';
import type { ValidationRule } from '../../src/core/errors.ts';
import { bodyIsList } from '../../src/validation/bodies.ts';
import { faultText, type Judgement, judgeAnswer, type Known } from '../../src/validation/judge-answer.ts';

const known: Known = {
  stream: { route: 'products', list: { kind: 'detect' }, format: 'json' },
  ...{ listKey: 'productos', samples: [], client: undefined, record: undefined, datesBefore: () => 0 },
};
const on = (dates: Partial<Record<ValidationRule, number>>) => ({
  ...known,
  datesBefore: (rule: ValidationRule) => dates[rule] ?? 0,
});
const judge = (body: unknown, facts: Known = known) => judgeAnswer({ body, format: 'json' }, facts);

const textOf = (found: Judgement) =>
  found.kind === 'refused'
    ? `${found.rule}: ${faultText(found)}`
    : found.kind === 'records'
      ? `${found.listKey} ${found.records.length}`
      : 'unclear';

describe('an answer', () => {
  it('whose list stands elsewhere counts as moved on the third run date, unless it says an error', () => {
    const body = { articulos: [{ id: 1 }] };
    expect(judge(body)).toMatchObject({ kind: 'refused', rule: 'no_data', got: 'the keys articulos' });
    expect(judge(body, on({ no_data: 2 }))).toMatchObject({ kind: 'records', listKey: 'articulos' });
    expect(judge({ ...body, error: 'x' }, on({ no_data: 2 }))).toMatchObject({ kind: 'refused' });
    const stream = { ...known.stream, list: { kind: 'key', key: 'productos' } as const };
    const fixed = { ...on({ no_data: 2 }), stream };
    expect(judge(body, fixed)).toMatchObject({ kind: 'refused' });
  });

  it('that is unusual on the third run date is published, and says so', () => {
    const samples = [{ id: 1, nombre: 'a', precio: 7 }];
    const body = { productos: [{ id: 1 }, { id: 2 }] };
    expect(judge(body, { ...known, samples })).toMatchObject({ kind: 'refused', rule: 'unusual' });
    const confirmed = [expect.stringContaining('on 3 run dates, so it is published')];
    expect(judge(body, { ...on({ unusual: 2 }), samples })).toMatchObject({ kind: 'records', confirmed });
  });

  it('about another client or record is refused, on whichever run date', () => {
    const client = { id: 'c1', others: new Set(['c2']), knownFields: new Set<string>(), mapped: [] };
    const dates = on({ other_client: 9, no_data: 9 });
    const ofOther = judge({ productos: [{ cliente: 'c2' }] }, { ...dates, client });
    expect(ofOther).toMatchObject({ rule: 'other_client' });
    const others = { others: new Set(['r2', 'r3']), knownFields: new Set<string>() };
    const record = { stream: 'agent_runs', value: 'r1', ...others };
    expect(judge({ run_id: 'r2' }, { ...dates, record })).toMatchObject({ rule: 'other_client' });
    const list = { eventos: [{ run_id: 'r2' }, { run_id: 'r3' }] };
    expect(judge(list, { ...dates, record })).toMatchObject({ rule: 'no_data', got: 'a list of them' });
  });

  it('with several lists and no name of theirs is unclear', () => {
    const found = judge({ a: [1], b: [2] }, { ...known, listKey: undefined });
    expect(found).toEqual({ kind: 'unclear', arrays: ['a', 'b'], keys: ['a', 'b'] });
  });

  it.each<[string, unknown, Partial<Known>, string]>([
    ['an error in the place of a list', { error: 'x' }, {}, 'no_data: expected one list, got an error'],
    ['a body that is none', 'x', {}, 'no_data: expected one list, got no list'],
    [
      'a body without a list',
      { a: 1, b: 2 },
      {},
      'no_data: expected one list, got no list among the keys a, b',
    ],
    ['a list by its usual name', { productos: [{ id: 1 }] }, {}, 'productos 1'],
    ['one record', { id: 1 }, { stream: { ...known.stream, list: { kind: 'none' } } }, 'undefined 1'],
  ])('is of %s', (_, body, facts, told) => {
    expect(textOf(judge(body, { ...known, listKey: undefined, ...facts }))).toBe(told);
  });

  it.each([
    ['an empty list', { articulos: [] }],
    ['no list', { articulos: 1 }],
    ['two lists', { a: [1], b: [2] }],
  ])('with %s in another place stays refused', (_, body) => {
    expect(judge(body, on({ no_data: 9 }))).toMatchObject({ kind: 'refused', rule: 'no_data' });
  });

  it('in another format is refused; the rows of CSV are its list', () => {
    const csv = (format: 'csv' | 'json') =>
      textOf(
        judgeAnswer({ body: [{ id: 1 }], format: 'csv' }, { ...known, stream: { ...known.stream, format } }),
      );
    expect([csv('json'), csv('csv')]).toEqual(['no_data: expected JSON, got CSV', `${bodyIsList} 1`]);
  });

  it('that is one record is compared as a whole, and a list by its records', () => {
    const samples = [{ puntuacion: 5, metodo: 'v2', datos: { a: 1 } }];
    const stream = { ...known.stream, list: { kind: 'none' } as const };
    const nothing = { others: new Set<string>(), knownFields: new Set<string>() };
    const record = { stream: 'agent_runs', value: 'r1', ...nothing };
    const whole = textOf(judge({ otra: 1 }, { ...known, samples, stream }));
    expect(whole).toMatchInlineSnapshot(
      `"unusual: expected the fields that it always had (puntuacion, metodo, datos), got 0 of 3 of them"`,
    );
    expect(textOf(judge({ otra: 1 }, { ...known, samples, record }))).toBe(whole);
    expect(textOf(judge({ productos: [{ otra: 1 }] }, { ...known, samples }))).toMatchInlineSnapshot(
      `"unusual: expected values in about 3 fields of a record, as puntuacion, metodo, datos, got few of them in each"`,
    );
  });

  it('that counts at last says why', () => {
    const samples = [{ id: 1, nombre: 'a', precio: 7, url: 'x' }];
    const moved = judge({ articulos: [{ id: 1 }] }, { ...on({ no_data: 2, unusual: 2 }), samples });
    expect(moved).toMatchObject({ kind: 'records', listKey: 'articulos' });
    expect(moved.kind === 'records' && moved.confirmed).toEqual([
      'expected a list under "productos", got it elsewhere on 3 run dates, so it is read from there',
      expect.stringMatching(
        /^expected values in about .* of them in each on 3 run dates, so it is published$/,
      ),
    ]);
  });
});
