// Reads what a body holds: a list, a record, an error, a state, or something unusual. Pure.

import { isObject, type JsonObject } from '../core/json.ts';
import { paginationKey, type Stream } from '../streams/stream.ts';

/** Place of the list in a body of a route for which the reference gives no list key. */
type FoundList =
  | { readonly kind: 'key'; readonly key: string }
  /** It cannot be told; `arrays` are the top-level keys that hold arrays. */
  | { readonly kind: 'unclear'; readonly arrays: readonly string[]; readonly keys: readonly string[] };

/** Names that lists of records usually bear. */
const listNames = new Set(
  'data datos items elementos records registros results resultados rows filas'.split(' '),
);

/**
 * Finds the list: the one top-level array beside `paginacion`, else the key that equals the route's last part, else the
 * one with the name of a list, such as `data` beside `included`. The route's key is the list even when it is null and
 * others are arrays; a null that stands alone is a list too.
 */
export function findList(stream: Pick<Stream, 'route'>, body: unknown): FoundList {
  if (Array.isArray(body)) return { kind: 'key', key: bodyIsList };
  if (typeof body !== 'object' || body === null) return { kind: 'unclear', arrays: [], keys: [] };
  const keys = Object.keys(body).filter((key) => key !== paginationKey);
  const arrays = Object.entries(body).flatMap(([key, value]) =>
    key !== paginationKey && Array.isArray(value) ? [key] : [],
  );
  const nulls = Object.entries(body).flatMap(([key, value]) => (value === null ? [key] : []));
  const last = stream.route.split('/').at(-1) ?? stream.route;
  if (nulls.includes(last)) return { kind: 'key', key: last };
  const [only, ...others] = arrays;
  if (only !== undefined && others.length === 0) return { kind: 'key', key: only };
  if (keys.includes(last)) return { kind: 'key', key: last };
  const [named, ...namedToo] = arrays.filter((key) => listNames.has(key.toLowerCase()));
  if (named !== undefined && namedToo.length === 0) return { kind: 'key', key: named };
  const [alone, ...more] = keys;
  if (alone !== undefined && more.length === 0 && nulls.includes(alone)) return { kind: 'key', key: alone };
  return { kind: 'unclear', arrays, keys };
}

/** Fields that report an error when they hold a value. */
const errorNames = new Set(['error', 'errors', 'errores']);
/** Fields that report an error when they are false. */
const successNames = new Set(['success', 'ok', 'exito', 'éxito']);
/** Fields that report an error when the body holds nothing else. */
const messageNames = new Set(['mensaje', 'message', 'msg']);

/** Fields that only ever describe an error; any other field with content makes the body data. */
const descriptive = new Set([
  ...['detalle', 'detalles', 'detail', 'details', 'descripcion', 'description'],
  ...['code', 'codigo', 'error_code', 'statuscode', 'retryafter', 'title', 'type'],
  ...['timestamp', 'path', 'ruta', 'instance', 'request_id', 'requestid', 'trace_id', 'traceid'],
]);

type Body = Readonly<Record<string, unknown>>;

/** True if the body names an error, or says nothing else. */
export function saysError(body: unknown): boolean {
  return isObject(body) && (hasErrorMark(body) || saysOnlyError(body));
}

function hasErrorMark(body: Body): boolean {
  return Object.entries(body).some(([name, value]) => isErrorMark(name.toLowerCase(), value));
}

/**
 * True if an object only reports an error: it has a mark (`mensaje` counts as one here), no `paginacion`, and beside
 * the marks only descriptions of an error and empty values. Letter case does not matter.
 */
export function saysOnlyError(body: Body): boolean {
  const fields = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const);
  return (
    fields.some(([name, value]) => isErrorMark(name, value) || isMessage(name, value)) &&
    fields.every(([name, value]) => isErrorMark(name, value) || describesAnError(name, value))
  );
}

/** Words that mean failure. Any other message beside an empty list may just say why it is empty. */
const wordsOfErrors =
  /\b(error(es)?|fall[oó]|fallid[oa]|failed|failure|timed? ?out|mantenimiento|maintenance|temporalmente|temporarily|int[eé]ntalo|intente|reintent|try again|retry|vuelve luego|excedid[oa]|exceeded|interno|internal)/i;

/** True if a message, description or state reports a failure, in words or by a status from 400. */
function describesFailure(body: Body): boolean {
  return Object.entries(body).some(([field, value]) => {
    const name = field.toLowerCase();
    if (name === 'status' || name === 'estado' || name === 'code' || name === 'codigo')
      return typeof value === 'number' ? value >= 400 : isStateOfError(value);
    const speaks = messageNames.has(name) || descriptive.has(name);
    return speaks && typeof value === 'string' && wordsOfErrors.test(value);
  });
}

function isStateOfError(value: unknown): boolean {
  return typeof value === 'string' && /^(error|fail|failed|failure|ko)$/i.test(value);
}

function isErrorMark(name: string, value: unknown): boolean {
  if (successNames.has(name)) return value === false;
  return errorNames.has(name) && namesAnError(value);
}

function isMessage(name: string, value: unknown): boolean {
  return messageNames.has(name) && typeof value === 'string' && value !== '';
}

function namesAnError(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return (
    value === true ||
    (typeof value === 'number' && value !== 0) ||
    (typeof value === 'string' && value !== '')
  );
}

function describesAnError(name: string, value: unknown): boolean {
  if (name === paginationKey) return false;
  // An empty list beside an error means that the list is unknown; publishing it would close every record.
  if (Array.isArray(value)) return value.length === 0;
  if (value === null || value === false || value === '') return true;
  // `estado: "unavailable"` is data (agent/os); `status: 500` and `estado: "error"` are not.
  if (name === 'status' || name === 'estado') return typeof value === 'number' || isStateOfError(value);
  return descriptive.has(name) || messageNames.has(name) || successNames.has(name);
}

/** The data that was expected, and what came instead. */
export interface NoData {
  readonly expected: string;
  readonly got: string;
}

/** Stands for the list's key when the body itself is the list; every other list has a name. */
export const bodyIsList = '';

/**
 * Reads a list of records.
 * @param key of the list; `bodyIsList`: the body itself is the list
 */
export function listIn(key: string, body: unknown): readonly unknown[] | NoData {
  if (key === bodyIsList)
    return Array.isArray(body) ? dataIn(body) : { expected: 'a list as the body', got: kindOf(body) };
  const expected = `a list under "${key}"`;
  if (!isObject(body)) return { expected, got: kindOf(body) };
  if (!Object.hasOwn(body, key)) {
    if (saysOnlyError(body)) return { expected, got: 'an error' };
    const keys = Object.keys(body);
    return { expected, got: keys.length === 0 ? 'an empty object' : `the keys ${keys.join(', ')}` };
  }
  const list = body[key];
  if (list !== null && !Array.isArray(list)) return { expected, got: `${kindOf(list)} there` };
  const isEmpty = list === null || list.length === 0;
  if (isEmpty && (hasErrorMark(body) || describesFailure(body)))
    return { expected, got: 'an error beside an empty list' };
  return dataIn(list ?? []);
}

/** Returns the list, unless its only item is an error. */
function dataIn(list: readonly unknown[]): readonly unknown[] | NoData {
  const [only] = list;
  return list.length === 1 && isObject(only) && hasErrorMark(only) && saysOnlyError(only)
    ? { expected: 'a list of records', got: 'a list of one error' }
    : list;
}

export function recordIn(body: unknown): readonly unknown[] | NoData {
  const expected = 'an object with data';
  if (!isObject(body)) return { expected, got: kindOf(body) };
  if (Object.keys(body).length === 0) return { expected, got: 'an empty object' };
  return saysOnlyError(body) ? { expected, got: 'an object that only says an error' } : [body];
}

/**
 * Says why a single body contradicts what its stream always had; undefined if it does not.
 * @param samples stored bodies with data, the current one first
 */
export function unusualBody(samples: readonly unknown[], body: unknown): NoData | undefined {
  const withData = samples.filter(isObject).filter((sample) => !saysState(sample));
  const usual = usualFields(withData);
  if (usual.length === 0 || !isObject(body)) return undefined;
  const isMarked = hasErrorMark(body);
  if (!isMarked && saysState(body)) return undefined;
  const expected = `the fields that it always had (${usual.slice(0, 8).join(', ')}${usual.length > 8 ? ', …' : ''})`;
  const found = usual.filter((name) => Object.hasOwn(body, name));
  if (found.length * 2 < usual.length || found.length === 0)
    return { expected, got: `${found.length} of ${usual.length} of them${isMarked ? ', and an error' : ''}` };
  if (valuesOf(body) === 0 && withData.every((sample) => valuesOf(sample) > 0))
    return { expected, got: 'null in each of them' };
  const figures = usual.filter((name) => withData.every((sample) => typeof sample[name] === 'number'));
  if (figures.length > 0 && figures.every((name) => isWord(body[name])))
    return { expected: `figures in ${figures.slice(0, 8).join(', ')}`, got: 'words' };
  return undefined;
}

/**
 * Says why a page's records contradict the stored ones; undefined if they do not.
 * @param sample a stored record
 */
export function unusualRecords(sample: unknown, records: readonly unknown[]): NoData | undefined {
  if (!isObject(sample) || records.length === 0) return undefined;
  const usual = Object.keys(sample).filter((name) => sample[name] !== null && sample[name] !== '');
  const isUnlike = (record: unknown) =>
    !isObject(record) ||
    valuesOf(record) * 2 < usual.length ||
    usual.filter((name) => Object.hasOwn(record, name)).length * 3 < usual.length;
  if (usual.length >= leastFields && records.every(isUnlike)) {
    const names = usual.slice(0, 8).join(', ');
    return {
      expected: `values in about ${usual.length} fields of a record, as ${names}`,
      got: 'few of them in each',
    };
  }
  const first = JSON.stringify(records[0]);
  if (records.length >= leastRepeats && records.every((record) => JSON.stringify(record) === first))
    return { expected: 'records that differ', got: `one record ${records.length} times` };
  return undefined;
}

/** Records with fewer values are not judged. */
const leastFields = 3;
/** A page that repeats one record this often, and holds no other, is no data. */
const leastRepeats = 10;

/** Returns the fields common to all stored bodies with data; if there are none, those of the current one. */
function usualFields(samples: readonly JsonObject[]): string[] {
  const [current = [], ...older] = samples.map((sample) => Object.keys(sample));
  const common = current.filter((name) => older.every((names) => names.includes(name)));
  return common.length === 0 ? current : common;
}

function valuesOf(record: JsonObject): number {
  return Object.values(record).filter((value) => value !== null && value !== '').length;
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !/\d/.test(value);
}

/** A state may be all that a body says (api.md, "States and values"). */
const states =
  /^(unavailable|not[_ -]?available|no[_ -]disponible|insufficient.*|insuficiente|muestra[_ -]insuficiente|in[_ -]progress|running|pending|en[_ -]curso|pendiente)$/i;

/** True if there is no data now: an agent without data, a sample too small, a run that goes on. */
function saysState(body: unknown): boolean {
  if (!isObject(body)) return false;
  return Object.values(body).some((value) => typeof value === 'string' && states.test(value));
}

/** True for streams whose bodies are judged as one record. */
export function isSingle(stream: Pick<Stream, 'list' | 'source'>): boolean {
  return stream.list.kind === 'none' || stream.source.kind !== 'walk';
}

/** Names the kind of a value for people. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
