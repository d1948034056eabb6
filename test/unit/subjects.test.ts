// Whether an answer is about another client than the one asked for.
import { describe, expect, it } from 'vitest';
import * as subjects from '../../src/validation/subjects.ts';

const { clientFieldsOf, listsOthers, otherRecordIn, valueFieldsOf } = subjects;

/** The client that a record names. */
const clientIn = (record: unknown, asked: subjects.AskedClient) =>
  subjects.otherClientIn({}, [record], asked)?.got.replace(/^data of client "(.*)"$/, '$1');

const asked = { id: '7', others: new Set(['7', '8', 'acme']), knownFields: new Set<string>(), mapped: [] };

describe('another client', () => {
  it.each([
    [{ cliente: '8' }, '8'],
    [{ cliente: 8 }, '8'],
    [{ cliente_id: 'acme' }, 'acme'],
    [{ clienteId: '8' }, '8'],
    [{ id_cliente: '8' }, '8'],
    [{ 'Client-ID': '8' }, '8'],
    [{ cliente: { id: '8', nombre: 'x' } }, '8'],
    [{ cliente_ref: 'acme' }, 'acme'],
    [{ client: '8' }, '8'],
    [{ idClient: '8' }, '8'],
    [{ customer: 'acme' }, 'acme'],
    [{ CUSTOMER_ID: 8 }, '8'],
    [{ __cliente_id: '8' }, '8'],
    [{ cliente: { cliente_id: '8' } }, '8'],
    [{ cliente: { client_id: 8 } }, '8'],
    [{ customer: { ref: 'acme' } }, 'acme'],
    [{ client: { slug: 'acme' } }, 'acme'],
    [{ cliente: '7', customer: '8' }, '8'],
    [{ cliente: { id: 7, slug: 'acme' } }, 'acme'],
  ])('is named in %j', (value, other) => {
    expect(clientIn(value, asked)).toBe(other);
  });

  it.each([
    ...[{ cliente: '7' }, { cliente: 7 }, { cliente: 'Agencia Vértice' }, { cliente: { nombre: '8' } }],
    ...[{ clientela: '8' }, { producto: '8', id: '8' }, { cliente: null }, { cliente: '' }],
    ...[{ cliente: ['8'] }, { cliente: { id: ['8'] } }, { cliente: { id: { id: '8' } } }],
    ...[{ ___cliente_id: '8' }, { 'cliente.id': '8' }, '8', ['8'], null],
  ])('is not named in %j', (value) => {
    expect(clientIn(value, asked)).toBeUndefined();
  });

  it('is any other client, when a field is known to name the client', () => {
    const knownFields = new Set(['cliente']);
    expect(clientIn({ cliente: 'unheard of' }, { ...asked, knownFields })).toBe('unheard of');
    expect(clientIn({ cliente: '7' }, { ...asked, knownFields })).toBeUndefined();
    expect(clientIn({ client: 'unheard of' }, { ...asked, knownFields })).toBeUndefined();
  });

  it.each([
    ...[{ cliente: null }, { cliente: '' }, { cliente: true }, { cliente: ['unheard of'] }],
    ...[{ cliente: {} }, { cliente: { id: null } }, { cliente: { id: '' } }, { cliente: { id: false } }],
  ])('is not %j, even where the field is known to name it', (value) => {
    const knownFields = new Set(['cliente', 'cliente.id']);
    expect(clientIn(value, { ...asked, knownFields })).toBeUndefined();
  });

  it('is anybody but the client at a known place below a field', () => {
    const knownFields = new Set(['cliente.ref']);
    expect(clientIn({ cliente: { ref: 0 } }, { ...asked, knownFields })).toBe('0');
    expect(clientIn({ cliente: { id: 'unheard of' } }, { ...asked, knownFields })).toBeUndefined();
  });

  it('is a text in another form than the id', () => {
    const knownFields = new Set(['cliente']);
    expect(clientIn({ cliente: '07' }, { ...asked, knownFields })).toBe('07');
    expect(clientIn({ cliente: 7.5 }, { ...asked, knownFields })).toBe('7.5');
  });

  it('is not seen in numbers that JavaScript cannot tell apart', () => {
    const large = { ...asked, id: '9007199254740993', knownFields: new Set(['cliente']) };
    expect(clientIn({ cliente: Number('9007199254740993') }, large)).toBeUndefined();
  });
});

it('the fields that name the client are those that held its id', () => {
  const record = { cliente: 'Siete', cliente_id: '7', client: { id: 7 }, otro: '7' };
  expect(clientFieldsOf(record, { id: '7', mapped: [] })).toEqual(['cliente_id', 'client.id']);
  expect(clientFieldsOf(null, { id: '7', mapped: [] })).toEqual([]);
});

describe('a field that is mapped to the client', () => {
  const mapped = [['de', 'quien']];

  it('names another one, however it is called', () => {
    expect(clientIn({ de: { quien: '8' } }, { ...asked, mapped })).toBe('8');
    expect(clientIn({ de: { quien: 7 } }, { ...asked, mapped })).toBeUndefined();
    expect(clientIn({ de: { quien: 'Siete S.A.' } }, { ...asked, mapped })).toBeUndefined();
    expect(clientIn({ de: null }, { ...asked, mapped })).toBeUndefined();
  });

  it('names any other one where it held the id before', () => {
    const knownFields = new Set(clientFieldsOf({ de: { quien: '7' } }, { id: '7', mapped }));
    expect(clientIn({ de: { quien: 'unheard of' } }, { ...asked, mapped, knownFields })).toBe('unheard of');
  });
});

describe('another record', () => {
  const nothingKnown = { knownFields: new Set<string>() };
  const run = { stream: 'agent_runs', value: 'r1', others: new Set(['r1', 'r2', '3']), ...nothingKnown };

  it.each([
    [{ run_id: 'r2' }, 'r2'],
    [{ id: 'r2', previous_run_id: 'r1' }, 'r2'],
    [{ run: { id: 'r2' } }, 'r2'],
    [{ run_id: 3 }, '3'],
  ])('is named in %j', (body, other) => {
    expect(otherRecordIn(body, run)?.got).toBe(`data of record ${JSON.stringify(other)}`);
  });

  it.each([
    ...[{ run_id: 'r1' }, { run_id: 'r1', id: '3' }, { run_id: 'r1', previous_run_id: 'r2' }],
    ...[{ run_id: 'unheard of' }, { eventos: 3 }, {}, null],
  ])('is not named in %j', (body) => {
    expect(otherRecordIn(body, run)).toBeUndefined();
  });

  it('is anything else in a field that held the value before', () => {
    const knownFields = new Set(valueFieldsOf({ run_id: 'r9' }, 'agent_runs', 'r9'));
    const other = otherRecordIn({ run_id: 'unheard of' }, { ...run, knownFields });
    expect(other?.got).toBe('data of record "unheard of"');
    expect(otherRecordIn({ run_id: 'r1' }, { ...run, knownFields })).toBeUndefined();
    expect(otherRecordIn({ otro: 'unheard of' }, { ...run, knownFields })).toBeUndefined();
  });

  it('is not seen in numbers that JavaScript cannot tell apart', () => {
    const value = '9007199254740993';
    const large = { ...run, value, others: new Set([value, '9007199254740992']) };
    expect(otherRecordIn({ run_id: Number(value) }, large)).toBeUndefined();
    const known = { ...large, knownFields: new Set(['run_id']) };
    expect(otherRecordIn({ run_id: Number(value) }, known)).toBeUndefined();
  });

  it('is the answer to another question', () => {
    const [value, other] = ['¿Quién lidera?', '¿Qué marca va primero?'];
    const question = { stream: 'ask', value, others: new Set([value, other]), ...nothingKnown };
    const got = otherRecordIn({ consulta: other, respuesta: 'Siete, dicen.' }, question)?.got;
    expect(got).toBe(`data of record ${JSON.stringify(other)}`);
    expect(otherRecordIn({ consulta: value, respuesta: 'Siete, dicen.' }, question)).toBeUndefined();
  });

  it('is in a list that stands in place of the one that was asked for', () => {
    const list = { eventos: [{ run_id: 'r2' }, { run_id: '3' }], total: 2 };
    expect(listsOthers(list, run)).toEqual({ expected: 'one record', got: 'a list of them' });
    expect(listsOthers({ ...list, run_id: 'r1' }, run)).toBeUndefined();
    expect(listsOthers({ eventos: [{ run_id: 'r2' }, { id: 'e7' }] }, run)).toBeUndefined();
    const before = { id: 'r1', antes: [{ run_id: 'r2' }, { run_id: '3' }] };
    expect(listsOthers({ run: before }, run)).toBeUndefined();
  });
});
