// Whether an answer is about another client than the one asked for. The names of fields are not documented
// (docs/api.md, "Not documented"), so a field counts only where data has shown that it names the client.
import { isObject } from '../../core/is-object.ts';

const names = new Set([
  ...['cliente', 'clienteid', 'idcliente', 'clienteref'],
  ...['client', 'clientid', 'idclient', 'customer', 'customerid'],
]);

/** Paths below the object at which a client may be named. */
const inner = new Set(['id', 'cliente_id', 'client_id', 'ref', 'slug']);

export interface AskedClient {
  readonly id: string;
  /** Every other client of the account, as far as they are known. */
  readonly others: ReadonlySet<string>;
  /** Fields that named this client in what is stored of the scope. */
  readonly knownFields: ReadonlySet<string>;
}

/** The fields of a stored record that name its client. */
export function clientFieldsOf(record: unknown, clientId: string): string[] {
  return namings(record).flatMap(([field, value]) => (isSameId(value, clientId) ? [field] : []));
}

/** The client that a body or record names instead of the one asked for; undefined: none. */
export function otherClientIn(value: unknown, asked: AskedClient): string | undefined {
  for (const [field, named] of namings(value)) {
    if (isSameId(named, asked.id)) continue;
    if (asked.knownFields.has(field) || asked.others.has(String(named))) return String(named);
  }
  return undefined;
}

/** Fields that may name a client, with their scalar values. */
function namings(value: unknown): (readonly [field: string, value: string | number])[] {
  if (!isObject(value)) return [];
  const found: (readonly [string, string | number])[] = [];
  for (const name in value) {
    if (name.length > 12 || !names.has(name.toLowerCase().replace(/[_-]/g, ''))) continue;
    const named = value[name];
    if (isScalar(named)) found.push([name, named]);
    else if (isObject(named)) {
      for (const below of inner) {
        const id = named[below];
        if (isScalar(id)) found.push([`${name}.${below}`, id]);
      }
    }
  }
  return found;
}

function isScalar(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** A number past 2^53 is compared as JavaScript reads it, which does not tell neighbours apart, so it never counts as another client. */
function isSameId(named: string | number, id: string): boolean {
  return typeof named === 'number' ? named === Number(id) : named === id;
}
