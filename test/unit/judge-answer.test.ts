// One answer against what is known: its records, or the rule by which it is refused.
import { describe, expect, it } from 'vitest';
import type { ValidationRule } from '../../src/core/errors.ts';
import { judgeAnswer, type Known } from '../../src/validation/judge-answer.ts';

const known: Known = {
  stream: { route: 'products', list: { kind: 'detect' }, format: 'json' },
  ...{ listKey: 'productos', samples: [], client: undefined, record: undefined, datesBefore: () => 0 },
};
const on = (dates: Partial<Record<ValidationRule, number>>) => ({
  ...known,
  datesBefore: (rule: ValidationRule) => dates[rule] ?? 0,
});
const judge = (body: unknown, facts: Known = known) => judgeAnswer({ body, format: 'json' }, facts);

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
});
