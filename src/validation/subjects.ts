// Finds out whether an answer is about another client, or another record, than the one asked for. The names of fields
// are not documented (api.md, "Not documented"), so a field counts only where data has shown that it names the subject.
import { isObject, valueAt } from '../core/json.ts';
import { identifierPaths } from '../streams/identifier-paths.ts';
import type { KeyPath } from '../streams/stream.ts';
import type { NoData } from './bodies.ts';

const names = new Set([
  ...['cliente', 'clienteid', 'idcliente', 'clienteref'],
  ...['client', 'clientid', 'idclient', 'customer', 'customerid'],
]);

/** Paths below the object at which a client may be named. */
const inner = new Set(['id', 'cliente_id', 'client_id', 'ref', 'slug']);

export interface AskedClient {
  readonly id: string;
  readonly others: ReadonlySet<string>;
  /** Fields that named this client in the stored data of the scope. */
  readonly knownFields: ReadonlySet<string>;
  /** Paths mapped as the client, beside the fields that are known by name. */
  readonly mapped: readonly KeyPath[];
}

export function clientFieldsOf(
  record: unknown,
  { id, mapped }: Pick<AskedClient, 'id' | 'mapped'>,
): string[] {
  return namings(record, mapped).flatMap(([field, value]) => (isSameId(value, id) ? [field] : []));
}

/** Returns the client that the body or a record names instead of the one asked for; undefined if none. */
export function otherClientIn(
  body: unknown,
  records: readonly unknown[],
  asked: AskedClient,
): NoData | undefined {
  const own = otherNamed(body, { ...asked, knownFields: new Set() });
  const found =
    own ?? records.map((record) => otherNamed(record, asked)).find((other) => other !== undefined);
  return found === undefined ? undefined : otherThan('client', asked.id, found);
}

function otherThan(subject: 'client' | 'record', asked: string, found: string): NoData {
  const of = (id: string) => `data of ${subject} ${JSON.stringify(id.slice(0, 80))}`;
  return { expected: of(asked), got: of(found) };
}

function otherNamed(value: unknown, asked: AskedClient): string | undefined {
  for (const [field, named] of namings(value, asked.mapped)) {
    if (isSameId(named, asked.id)) continue;
    if (asked.knownFields.has(field) || asked.others.has(String(named))) return String(named);
  }
  return undefined;
}

export interface AskedRecord {
  readonly stream: string;
  readonly value: string;
  readonly others: ReadonlySet<string>;
  /** Fields that held the asked-for value in the bodies stored for other records. */
  readonly knownFields: ReadonlySet<string>;
}

/** Returns the fields of a stored body that hold the value it was requested with. */
export function valueFieldsOf(body: unknown, stream: string, value: string): string[] {
  return valuesIn(body, stream).flatMap(([field, named]) => (isSameId(named, value) ? [field] : []));
}

/**
 * Returns the value of another record that a body names instead of the one asked for; undefined if none. The likeliest
 * field decides: a known one, then one named like the record's own identifier.
 */
export function otherRecordIn(body: unknown, asked: AskedRecord): NoData | undefined {
  const named = valuesIn(body, asked.stream);
  const known = named.filter(([field]) => asked.knownFields.has(field));
  const deciding =
    known.length > 0 ? known : named.filter(([, value]) => isKnownValue(value, asked)).slice(0, 1);
  const [first] = deciding;
  return first === undefined || deciding.some(([, value]) => isSameId(value, asked.value))
    ? undefined
    : otherThan('record', asked.value, first[1].toString());
}

/** Refuses a list in place of a record: the body names other records, and nowhere the one asked for. */
export function listsOthers(body: unknown, asked: AskedRecord): NoData | undefined {
  if (!isObject(body) || valuesIn(body, asked.stream).some(([, value]) => isSameId(value, asked.value)))
    return;
  const isList = Object.values(body).some((list) => {
    if (!Array.isArray(list)) return false;
    const named = list.flatMap((record) => valuesIn(record, asked.stream).map(([, value]) => String(value)));
    return new Set(named.filter((value) => isKnownValue(value, asked))).size >= leastListed;
  });
  return isList ? { expected: 'one record', got: 'a list of them' } : undefined;
}

/** From this many known records on, a list is the list of all, not a few references. */
const leastListed = 2;

function isKnownValue(value: string | number, asked: AskedRecord): boolean {
  return isSameId(value, asked.value) || asked.others.has(String(value));
}

function valuesIn(body: unknown, stream: string): (readonly [field: string, value: string | number])[] {
  if (!isObject(body)) return [];
  const identifiers = identifierPaths(body, stream).map(({ path }) => path);
  // A question, or anything else that was asked for in words, comes back under any name.
  const words = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' && value.includes(' ') ? [[name]] : [],
  );
  return [...identifiers, ...words].flatMap((path): (readonly [string, string | number])[] => {
    const value = valueAt(body, path);
    return isScalar(value) ? [[path.join('.'), value]] : [];
  });
}

function namings(
  value: unknown,
  mapped: readonly KeyPath[],
): (readonly [field: string, value: string | number])[] {
  if (!isObject(value)) return [];
  const found = mapped.flatMap((path): (readonly [string, string | number])[] => {
    const named = valueAt(value, path);
    return isScalar(named) ? [[path.join('.'), named]] : [];
  });
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

/** Compares numbers past 2^53 as JavaScript reads them: neighbours look equal, so they never count as others. */
function isSameId(named: string | number, id: string): boolean {
  return typeof named === 'number' ? named === Number(id) : named === id;
}
