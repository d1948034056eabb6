// Whether an answer is about another client than the one asked for.
import { describe, expect, it } from 'vitest';
import { clientFieldsOf, otherClientIn } from '../../src/streams/fields/client-field.ts';

const asked = { id: '7', others: new Set(['7', '8', 'acme']), knownFields: new Set<string>() };

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
    expect(otherClientIn(value, asked)).toBe(other);
  });

  it.each([
    [{ cliente: '7' }],
    [{ cliente: 7 }],
    [{ cliente: 'Agencia Vértice' }],
    [{ cliente: { nombre: '8' } }],
    [{ clientela: '8' }],
    [{ producto: '8', id: '8' }],
    [{ cliente: null }],
    [{ cliente: '' }],
    [{ cliente: ['8'] }],
    [{ cliente: { id: ['8'] } }],
    [{ cliente: { id: { id: '8' } } }],
    [{ ___cliente_id: '8' }],
    [{ 'cliente.id': '8' }],
    ['8'],
    [['8']],
    [null],
  ])('is not named in %j', (value) => {
    expect(otherClientIn(value, asked)).toBeUndefined();
  });

  it('is any other client, when a field is known to name the client', () => {
    const knownFields = new Set(['cliente']);
    expect(otherClientIn({ cliente: 'unheard of' }, { ...asked, knownFields })).toBe('unheard of');
    expect(otherClientIn({ cliente: '7' }, { ...asked, knownFields })).toBeUndefined();
    expect(otherClientIn({ client: 'unheard of' }, { ...asked, knownFields })).toBeUndefined();
  });

  it.each([
    [{ cliente: null }],
    [{ cliente: '' }],
    [{ cliente: true }],
    [{ cliente: ['unheard of'] }],
    [{ cliente: {} }],
    [{ cliente: { id: null } }],
    [{ cliente: { id: '' } }],
    [{ cliente: { id: false } }],
  ])('is not %j, even where the field is known to name it', (value) => {
    const knownFields = new Set(['cliente', 'cliente.id']);
    expect(otherClientIn(value, { ...asked, knownFields })).toBeUndefined();
  });

  it('is anybody but the client at a known place below a field', () => {
    const knownFields = new Set(['cliente.ref']);
    expect(otherClientIn({ cliente: { ref: 0 } }, { ...asked, knownFields })).toBe('0');
    expect(otherClientIn({ cliente: { id: 'unheard of' } }, { ...asked, knownFields })).toBeUndefined();
  });

  it('is a text in another form than the id', () => {
    const knownFields = new Set(['cliente']);
    expect(otherClientIn({ cliente: '07' }, { ...asked, knownFields })).toBe('07');
    expect(otherClientIn({ cliente: 7.5 }, { ...asked, knownFields })).toBe('7.5');
  });

  it('is not seen in numbers that JavaScript cannot tell apart', () => {
    const large = { ...asked, id: '9007199254740993', knownFields: new Set(['cliente']) };
    expect(otherClientIn({ cliente: Number('9007199254740993') }, large)).toBeUndefined();
  });
});

it('the fields that name the client are those that held its id', () => {
  const record = { cliente: 'Siete', cliente_id: '7', client: { id: 7 }, otro: '7' };
  expect(clientFieldsOf(record, '7')).toEqual(['cliente_id', 'client.id']);
  expect(clientFieldsOf(null, '7')).toEqual([]);
});
