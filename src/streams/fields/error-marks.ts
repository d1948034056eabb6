// Tells a 200 whose body is really an error from data that merely has a field named `error`.

import { paginationKey } from '../pagination-key.ts';

/** Fields that say that something went wrong, when they hold a value. */
const errorNames = new Set(['error', 'errors', 'errores']);
/** Fields that say so when they are false. */
const successNames = new Set(['success', 'ok', 'exito', 'éxito']);
/** Fields that say so when the body holds nothing else. */
const messageNames = new Set(['mensaje', 'message', 'msg']);

// Fields that only ever describe an error; any other field with content makes the body data.
const descriptive = new Set([
  ...['detalle', 'detalles', 'detail', 'details', 'descripcion', 'description'],
  ...['code', 'codigo', 'error_code', 'statuscode', 'retryafter', 'title', 'type'],
  ...['timestamp', 'path', 'ruta', 'instance', 'request_id', 'requestid', 'trace_id', 'traceid'],
]);

type Body = Readonly<Record<string, unknown>>;

/** Whether a body says that something went wrong: `error`, `errors` or `errores` with content, `success` or `ok` false. */
export function hasErrorMark(body: Body): boolean {
  return Object.entries(body).some(([name, value]) => isErrorMark(name.toLowerCase(), value));
}

/**
 * Whether an object only says an error: it has a mark (`mensaje` counts as one here), there is no `paginacion`,
 * and beside the marks nothing but what describes an error, and empty values. Letter case does not matter.
 */
export function saysOnlyError(body: Body): boolean {
  const fields = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const);
  return (
    fields.some(([name, value]) => isErrorMark(name, value) || isMessage(name, value)) &&
    fields.every(([name, value]) => isErrorMark(name, value) || describesAnError(name, value))
  );
}

// A message beside an empty list may say why it is empty; these words say that something went wrong.
const wordsOfErrors =
  /\b(error(es)?|fall[oó]|fallid[oa]|failed|failure|timed? ?out|mantenimiento|maintenance|temporalmente|temporarily|int[eé]ntalo|intente|reintent|try again|retry|vuelve luego|excedid[oa]|exceeded|interno|internal)/i;

/** Whether a message, a description or a state says in words or by a status of 400 or more that something went wrong. */
export function describesFailure(body: Body): boolean {
  return Object.entries(body).some(([field, value]) => {
    const name = field.toLowerCase();
    if (name === 'status' || name === 'estado' || name === 'code' || name === 'codigo')
      return typeof value === 'number'
        ? value >= 400
        : /^(error|fail|failed|failure|ko)$/i.test(String(value));
    const speaks = messageNames.has(name) || descriptive.has(name);
    return speaks && typeof value === 'string' && wordsOfErrors.test(value);
  });
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
  if (name === 'status' || name === 'estado') {
    return typeof value === 'number' || /^(error|fail|failed|failure|ko)$/i.test(String(value));
  }
  return descriptive.has(name) || messageNames.has(name) || successNames.has(name);
}
