import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { catalog, resolveStreams } from '../../src/streams/catalog.ts';
import { findList } from '../../src/validation/bodies.ts';

const none = { streams: {}, questions: [], publicIds: [] };

describe('the catalog', () => {
  it('names every stream once, by a name that can be a table', () => {
    const names = catalog.map((stream) => stream.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,47}$/);
  });
});

describe('resolveStreams', () => {
  it('leaves out ask and the public route until something is configured for them', () => {
    const names = resolveStreams(none).map((stream) => stream.name);
    for (const name of ['ask', 'airank_public']) expect(names).not.toContain(name);
    const all = resolveStreams({ ...none, questions: ['¿Y?'], publicIds: ['a'] });
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask', 'airank_public']));
  });

  it('overrides, adds and removes streams without code', () => {
    const streams = resolveStreams({
      ...none,
      streams: {
        mediciones: { list: 'datos', keys: ['a.b', ['x', 'y']] },
        rank2: { enabled: false },
        new_route: { route: 'new/route', list: null, perClient: true },
      },
    });
    const changed = streams.find((stream) => stream.name === 'mediciones');
    expect(changed?.list).toEqual({ kind: 'key', key: 'datos' });
    expect(changed?.keys).toEqual([[['a', 'b']], [['x'], ['y']]]);
    expect(streams.some((stream) => stream.name === 'rank2')).toBe(false);
    const added = streams.find((stream) => stream.name === 'new_route');
    expect(added).toMatchObject({ route: 'new/route', list: { kind: 'none' }, perClient: true });
  });

  it('refuses an unknown stream without a route, by name', () => {
    expect(() => resolveStreams({ ...none, streams: { medicones: { list: 'x' } } })).toThrow(ConfigError);
  });

  it('leaves out details whose records are switched off', () => {
    const streams = resolveStreams({ ...none, streams: { agent_runs: { enabled: false } } });
    expect(streams.some((stream) => stream.name === 'agent_run_traces')).toBe(false);
  });
});

describe('findList', () => {
  it.each([
    [{ datos: [1], total: 3, paginacion: { siguiente: 'x' } }, 'datos'],
    [{ filtros: ['a'], mediciones: [1] }, 'mediciones'],
    [{ mediciones: null, total: 0 }, 'mediciones'],
    [{ mediciones: null, avisos: ['a'] }, 'mediciones'],
    [{ mediciones: { a: 1 }, datos: [1] }, 'datos'],
    [{ historial: null, paginacion: { siguiente: null } }, 'historial'],
    [[1, 2], ''],
  ])('finds in %j the list %j', (body, key) => {
    expect(findList({ route: 'v/mediciones' }, body)).toEqual({ kind: 'key', key });
  });

  it.each([
    [{ historial: null, total: 0 }, [], ['historial', 'total']],
    [{ historial: {} }, [], ['historial']],
    [{ a: [1], b: [2], c: 3 }, ['a', 'b'], ['a', 'b', 'c']],
    ['text', [], []],
    [{ paginacion: [1], x: 1 }, [], ['x']],
  ])('is unclear in %j', (body, arrays, keys) => {
    expect(findList({ route: 'v/mediciones' }, body)).toEqual({ kind: 'unclear', arrays, keys });
  });
});
