// The catalog of streams, and which fields identify their records.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { isCandidate } from '../../src/store/pages/record-keys.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { identifierPaths, identifierShape, isIdentifierPath } from '../../src/streams/identifier-paths.ts';
import { findList } from '../../src/validation/bodies.ts';

const none = { streams: {}, questions: [], publicIds: [] };

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
    [{ included: [1], Data: [2], meta: {} }, 'Data'],
    [{ data: [1], mediciones: [2] }, 'mediciones'],
    [{ historial: null, paginacion: { siguiente: null } }, 'historial'],
    [[1, 2], ''],
  ])('finds in %j the list %j', (body, key) => {
    expect(findList({ route: 'v/mediciones' }, body)).toEqual({ kind: 'key', key });
  });

  it.each([
    [{ historial: null, total: 0 }, [], ['historial', 'total']],
    [{ historial: {} }, [], ['historial']],
    [{ a: [1], b: [2], c: 3 }, ['a', 'b'], ['a', 'b', 'c']],
    [{ data: [1], items: [2] }, ['data', 'items'], ['data', 'items']],
    ['text', [], []],
    [{ paginacion: [1], x: 1 }, [], ['x']],
  ])('is unclear in %j', (body, arrays, keys) => {
    expect(findList({ route: 'v/mediciones' }, body)).toEqual({ kind: 'unclear', arrays, keys });
  });
});

function found(stream: string, record: object): string[] {
  return identifierPaths(record, stream).map(({ path, isSafe }) => `${path.join('.')}${isSafe ? '' : '?'}`);
}

it('is the identity of records only where the configuration names no other', () => {
  const choice = { name: 'prompts', keys: [[['text']]], keysConfigured: false };
  expect(isCandidate([['promptId']], choice)).toBe(true);
  expect(isCandidate([['promptId']], { ...choice, keysConfigured: true })).toBe(false);
});

describe('a name that says what it identifies', () => {
  it.each([
    ...['prompts promptId', 'prompts id_preg', 'respuestas answer_uid', 'respuestas idrespuesta'],
    ...['mediciones num_medicion', 'mediciones númeroDeMedición', 'mediciones runid', 'experiments codigo'],
    ...['acciones ACTION_REF', 'clientes accountId', 'clientes cid', 'mis_facturas factura_id'],
  ])('is found: %s', (names) => {
    const [stream = '', name = ''] = names.split(' ');
    expect(found(stream, { [name]: 'a1' })).toEqual([name]);
    expect(isIdentifierPath([name], stream)).toBe(true);
  });

  it.each([
    ...['prompts paid', 'crawl bid', 'prompts text', 'prompts keyword', 'clientes name', 'clientes website'],
    ...['mediciones num_mediciones', 'mediciones num_respuestas', 'prompts score_id'],
    ...['sources clave_posicion', 'respuestas indexRef'],
  ])('is not what only looks so, or counts: %s', (names) => {
    const [stream = '', name = ''] = names.split(' ');
    expect(found(stream, { [name]: 'a1' })).toEqual([]);
    expect(isIdentifierPath([name], stream)).toBe(false);
  });
});

it('an initial may be that of another thing', () => {
  expect(found('prompts', { pid: 'a1' })).toEqual(['pid?']);
});

it('what belongs to another thing comes last and is not safe', () => {
  const names = [
    'embeddingId',
    'run_id',
    'client_id',
    'memory_number',
    'memoryKey',
    'num',
    'memoryId',
    'uid',
  ];
  const record = Object.fromEntries(names.map((name, place) => [name, `a${place}`]));
  expect(found('agent_memory', record).join(' ')).toBe(
    'memoryId uid memoryKey memory_number num? embeddingId? run_id? client_id?',
  );
});

it('looks one level below what wraps the fields, or is named after the record', () => {
  const deep = { data: { deep: { uid: 'x' } } };
  const record = { attributes: { uid: 'u' }, prompt: { id: 'p' }, client: { id: 'c' }, ...deep };
  expect(found('prompts', record)).toEqual(['prompt.id', 'attributes.uid']);
  expect(isIdentifierPath(['client', 'id'], 'prompts')).toBe(false);
  expect(isIdentifierPath(['data', 'prompt', 'uid'], 'prompts')).toBe(false);
});

it('leaves out what holds no single value', () => {
  expect(found('prompts', { uid: null, prompt_id: '', promptRef: ['a'], code: true })).toEqual([]);
  expect(identifierPaths('prompts', 'prompts')).toEqual([]);
});

it('an identifier is short, has no spaces and is no amount; that of a client is no address either', () => {
  const fits = (value: string, stream = 'prompts') => new RegExp(identifierShape(stream)).test(value);
  expect(['a-1', '952592838949889687', 'harbor/pine', 'a@b'].map((one) => fits(one))).not.toContain(false);
  expect(['two words', '63.7', '-4,5', 'a'.repeat(201), ''].map((one) => fits(one))).not.toContain(true);
  expect(['a@b.com', 'https://a.com/'].map((one) => fits(one, 'clientes'))).toEqual([false, false]);
});
