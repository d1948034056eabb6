// Checks what one body with status 200 is taken for.
import { describe, expect, it } from 'vitest';
import * as bodies from '../../src/validation/bodies.ts';

const { isSingle, kindOf, listIn, recordIn, saysError, unusualBody, unusualRecords } = bodies;

const saysOnlyError = (body: object) => {
  const found = recordIn(body);
  return 'got' in found && found.got === 'an object that only says an error';
};

describe('a list', () => {
  it.each([
    [{ productos: [1, 2] }, [1, 2]],
    [{ productos: [], total: 0 }, []],
    [{ productos: null }, []],
    [{ productos: [1], error: 'partly' }, [1]],
    [{ productos: [], mensaje: 'nothing yet' }, []],
    [{ productos: [], error: null }, []],
    [{ productos: [], estado: 'unavailable', mensaje: 'Muestra insuficiente' }, []],
    // An object that no text can be made of.
    [{ productos: [], estado: { toString: 1, valueOf: 2 } }, []],
    [{ productos: [{ id: 1 }], codigo: { toString: 1, valueOf: 2 } }, [{ id: 1 }]],
    [{ productos: [], status: 200, mensaje: 'Sin productos todavía' }, []],
    [{ productos: [1], mensaje: 'Servicio en mantenimiento' }, [1]],
    [{ productos: [], titulo: 'Failed logins' }, []],
  ])('in %j holds its records', (body, records) => {
    expect(listIn('productos', body)).toEqual(records);
  });

  it.each([
    [[1], 'a list of 1'],
    [[], 'an empty list'],
    [false, 'a boolean'],
    ['not_available', 'a text'],
    [12, 'a number'],
    [null, 'null'],
    [{}, 'an empty object'],
    [{ items: [1], total: 1 }, 'the keys items, total'],
    [{ error: 'x', mensaje: 'y' }, 'an error'],
    [{ productos: 'not_available' }, 'a text there'],
    [{ productos: false }, 'a boolean there'],
    [{ productos: { a: 1 } }, 'an object there'],
    [{ productos: [], error: 'x' }, 'an error beside an empty list'],
    [{ productos: [], ok: false, total: 3, paginacion: {} }, 'an error beside an empty list'],
    [{ productos: null, success: false }, 'an error beside an empty list'],
    [{ productos: [], mensaje: 'Servicio en mantenimiento' }, 'an error beside an empty list'],
    [{ productos: [], detail: 'Internal failure, try again' }, 'an error beside an empty list'],
    [{ productos: [], status: 503 }, 'an error beside an empty list'],
    [{ productos: [], code: 400 }, 'an error beside an empty list'],
    [{ productos: [], codigo: 'error' }, 'an error beside an empty list'],
    [{ productos: [], estado: 'error' }, 'an error beside an empty list'],
  ])('is not in %j', (body, got) => {
    expect(listIn('productos', body)).toEqual({ expected: 'a list under "productos"', got });
  });

  it.each([
    ...[
      'Un error',
      'Hay errores',
      'La consulta falló',
      'Petición fallida',
      'It failed',
      'It timed out',
      'Timeout',
    ],
    ...[
      'Time out',
      'Inténtalo luego',
      'Intentalo de nuevo',
      'Cuota excedida',
      'Limit exceeded',
      'Error interno',
    ],
  ])('is not beside "%s" if it is empty', (mensaje) => {
    const got = 'an error beside an empty list';
    expect(listIn('productos', { productos: [], mensaje })).toMatchObject({ got });
  });

  it('is not a list of one error; a record that has one beside data is a record', () => {
    const none = { expected: 'a list of records', got: 'a list of one error' };
    expect(listIn('productos', { productos: [{ error: 'sin datos', code: 7 }] })).toEqual(none);
    expect(listIn('', [{ success: false, mensaje: 'x' }])).toEqual(none);
    const records = [{ error: 'x', id: 3 }];
    expect(listIn('', records)).toEqual(records);
    expect(listIn('', [{ mensaje: 'Cae', type: 'alert' }])).toHaveLength(1);
  });

  it('is the body itself only where that is known', () => {
    expect(listIn('', [1])).toEqual([1]);
    expect(listIn('', { '': [1] })).toEqual({ expected: 'a list as the body', got: 'an object' });
  });
});

describe('a body that is one record', () => {
  it.each([
    ...[{ airank: 12 }, { estado: 'unavailable' }],
    { estado: 'unavailable', mensaje: 'sin datos' },
    ...[{ error: 'x', airank: 12 }, { resultado: 'not_available' }],
    { mensaje: 'x', paginacion: { siguiente: null } },
  ])('%j is data', (body) => {
    expect(recordIn(body)).toEqual([body]);
  });

  it.each([
    [null, 'null'],
    [[], 'an empty list'],
    [[{ a: 1 }], 'a list of 1'],
    ['texto', 'a text'],
    [0, 'a number'],
    [{}, 'an empty object'],
    [{ error: 'x' }, 'an object that only says an error'],
  ])('%j is not', (body, got) => {
    expect(recordIn(body)).toEqual({ expected: 'an object with data', got });
  });
});

describe('an error in a body', () => {
  it.each([
    ...[{ error: 'interno' }, { ERROR: 'interno' }, { Errors: ['a'] }, { errores: { a: 1 } }],
    ...[{ Mensaje: 'Vuelve luego' }, { msg: 'x' }, { success: false }, { exito: false }, { Éxito: false }],
    { message: 'x', code: 500 },
    { OK: false, detail: 'x' },
    { error: 500, status: 500 },
    { error: true, estado: 'failed' },
    { error: 'x', datos: [], total: null, vacio: '', listo: false },
    { message: 'x', mensaje: 12, msg: true },
    { error: 'x', ok: true, success: 'no', exito: 0 },
    { mensaje: 'x', status: 503 },
    { mensaje: 'x', estado: 500 },
  ])('is all that %j says', (body) => {
    expect(saysOnlyError(body)).toBe(true);
  });

  it.each([
    ...[{ error: null }, { error: '' }, { error: 0 }, { error: false }, { error: [] }, { errors: {} }],
    ...[{ success: true }, { ok: 'false' }, { mensaje: '' }, { mensaje: 12 }, { code: 500 }, {}],
    ...[{ errores: 0 }, { Éxito: true }, { exito: null }, { msg: null }],
  ])('is not all that %j says', (body) => {
    expect(saysOnlyError(body)).toBe(false);
  });

  it.each([
    ...[{ total: 3 }, { datos: [1] }, { estado: 'unavailable' }, { paginacion: null }, { paginacion: [] }],
    ...[{ datos: {} }, { listo: true }, { nombre: 'Siete' }, { detalles: ['a'] }],
  ])('is not all that a body says which has %j beside it', (more) => {
    expect(saysOnlyError({ error: 'x', ...more })).toBe(false);
  });

  it.each([
    ...['detalle', 'detalles', 'detail', 'details', 'descripcion', 'description'],
    ...['code', 'codigo', 'error_code', 'statuscode', 'retryafter', 'title', 'type'],
    ...['timestamp', 'path', 'ruta', 'instance', 'request_id', 'requestid', 'trace_id', 'traceid'],
  ])('may be described by %s, which says nothing alone', (name) => {
    expect(saysOnlyError({ error: 'x', [name]: 'y' })).toBe(true);
    expect(saysOnlyError({ error: 'x', [name.toUpperCase()]: 12 })).toBe(true);
    expect(saysOnlyError({ [name]: 'y' })).toBe(false);
    expect(saysError({ [name]: 'y' })).toBe(false);
  });

  it.each(['error', 'Error', 'fail', 'failed', 'failure', 'KO'])('may have the state %s', (state) => {
    expect(saysOnlyError({ mensaje: 'x', estado: state })).toBe(true);
    expect(saysOnlyError({ mensaje: 'x', status: state })).toBe(true);
    expect(saysOnlyError({ estado: state })).toBe(false);
  });

  it.each(['no error', 'errors', 'failing', 'unfailed', 'ok', true])(
    'does not have the state %s, which is data',
    (state) => {
      expect(saysOnlyError({ mensaje: 'x', estado: state })).toBe(false);
      expect(saysOnlyError({ mensaje: 'x', status: state })).toBe(false);
    },
  );

  it('has a mark beside data too; a message alone is none', () => {
    expect(saysError({ datos: [1], Error: 'x' })).toBe(true);
    expect(saysError({ datos: [1], ok: false })).toBe(true);
    expect(saysError({ datos: [1], mensaje: 'x' })).toBe(false);
    expect(saysError({ datos: [1], ok: true, error: null })).toBe(false);
  });
});

describe('a body that contradicts what its stream always had', () => {
  const usual = { airank: 61, metodo: 'v2', dimensiones: 7, fecha: 'lunes' };
  const fields = 'the fields that it always had (airank, metodo, dimensiones, fecha)';

  it.each([
    [{ otro: 1 }, '0 of 4 of them'],
    [{ otro: 1, error: 'x' }, '0 of 4 of them, and an error'],
    [{ airank: 1, error: 'x' }, '1 of 4 of them, and an error'],
    [{ airank: 1 }, '1 of 4 of them'],
    [{ airank: null, metodo: null, dimensiones: null, fecha: null }, 'null in each of them'],
    [{ airank: null, metodo: '', dimensiones: null }, 'null in each of them'],
  ])('%j is unusual', (body, got) => {
    expect(unusualBody([usual, { ...usual, otro: 3 }], body)).toEqual({ expected: fields, got });
  });

  it('with words in place of every figure is unusual', () => {
    const body = { ...usual, airank: 'ocupado', dimensiones: 'ocupado' };
    expect(unusualBody([usual], body)).toEqual({ expected: 'figures in airank, dimensiones', got: 'words' });
    expect(unusualBody([usual], { ...body, airank: 'not_available' })).toBeUndefined();
    expect(unusualBody([usual], { ...body, airank: '61,5 puntos' })).toBeUndefined();
    expect(unusualBody([usual, { ...usual, airank: 'n/d', dimensiones: 'n/d' }], body)).toBeUndefined();
  });

  it.each([
    [{ airank: 1, metodo: 2 }],
    [{ airank: 1, metodo: 2, error: 'x' }],
    [{ airank: null, metodo: 'v2', dimensiones: null, fecha: null }],
    [{ estado: 'unavailable' }],
    [{ status: 'not_available' }],
    [{ estado: 'no disponible' }],
    [{ estado: 'muestra insuficiente' }],
    [{ status: 'in progress' }],
    [{ estado: 'en_curso', id: 3 }],
    [{ resultado: 'insufficient_sample' }],
    [null],
  ])('%j is not', (body) => {
    expect(unusualBody([usual], body)).toBeUndefined();
  });

  it('nothing is unusual without stored data, and a long list of fields is cut', () => {
    expect(unusualBody([], { otro: 1 })).toBeUndefined();
    expect(unusualBody([{ estado: 'unavailable' }], { otro: 1 })).toBeUndefined();
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
    expect(unusualBody([many(9)], { otro: 1 })?.expected).toMatch(/f7, …\)$/);
    expect(unusualBody([many(8)], { otro: 1 })?.expected).toMatch(/f7\)$/);
  });
});

describe('records that contradict those that are stored', () => {
  const stored = { id: 1, nombre: 'a', precio: 7, moneda: 'EUR' };

  it('are stripped to their key', () => {
    const expected = 'values in about 4 fields of a record, as id, nombre, precio, moneda';
    expect(unusualRecords(stored, [{ id: 1 }, { id: 2 }])).toEqual({ expected, got: 'few of them in each' });
    expect(unusualRecords(stored, [{ id: 1, nombre: null, precio: null, moneda: '' }])?.expected).toBe(
      expected,
    );
    expect(unusualRecords(stored, [{ id: 1 }, { id: 2, nombre: 'b' }])).toBeUndefined();
    expect(unusualRecords({ id: 1, nombre: 'a' }, [{ id: 1 }])).toBeUndefined();
  });

  it('are those of another route', () => {
    const other = { id: 1, pagina: '/a', visitas: 7, bot: 'x' };
    expect(unusualRecords(stored, [other, { ...other, id: 2 }])?.got).toBe('few of them in each');
    expect(unusualRecords(stored, [other, stored])).toBeUndefined();
    expect(unusualRecords(stored, [{ ...other, nombre: 'b' }])).toBeUndefined();
  });

  it('are one record many times', () => {
    const expected = 'records that differ';
    const many = Array.from({ length: 120 }, () => ({ ...stored }));
    expect(unusualRecords(stored, many)).toEqual({ expected, got: 'one record 120 times' });
    expect(unusualRecords(stored, [...many, { ...stored, id: 2 }])).toBeUndefined();
    expect(unusualRecords(stored, many.slice(0, 10))?.got).toBe('one record 10 times');
    expect(unusualRecords(stored, many.slice(0, 9))).toBeUndefined();
  });

  it('are none where nothing is stored, and none on an empty page', () => {
    expect(unusualRecords(undefined, [{ id: 1 }])).toBeUndefined();
    expect(unusualRecords(stored, [])).toBeUndefined();
  });
});

it('bodies of lists are no single records, those of values are', () => {
  const walk = { kind: 'walk' } as const;
  expect(isSingle({ list: { kind: 'detect' }, source: walk })).toBe(false);
  expect(isSingle({ list: { kind: 'none' }, source: walk })).toBe(true);
  expect(isSingle({ list: { kind: 'none' }, source: { kind: 'public' } })).toBe(true);
});

it('says what a value is', () => {
  expect([undefined, null, [], [1], {}, 'a', 1, true].map(kindOf)).toEqual([
    ...['nothing', 'null', 'an empty list', 'a list of 1'],
    ...['an object', 'a text', 'a number', 'a boolean'],
  ]);
});
