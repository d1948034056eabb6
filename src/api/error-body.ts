// Tells a 200 whose body is really an error from a record that merely has a field named `error`.

// Fields that only ever describe an error; any other field with content makes the body a record.
const descriptive = new Set([
  ...['mensaje', 'message', 'msg', 'detalle', 'detalles', 'detail', 'details', 'descripcion', 'description'],
  ...['code', 'codigo', 'error_code', 'statuscode', 'ok', 'success', 'retryafter', 'title', 'type'],
  ...['timestamp', 'path', 'ruta', 'instance', 'request_id', 'requestid', 'trace_id', 'traceid'],
]);

/**
 * True when the only meaningful content of `body` is an error: `error` or `errores` holds something,
 * there is no `paginacion`, and nothing beside it but what describes an error and empty lists.
 */
export function isErrorBody(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const fields = Object.entries(body);
  return (
    fields.some(([name, value]) => isErrorField(name) && namesAnError(value)) &&
    fields.every(([name, value]) => isErrorField(name) || describesAnError(name.toLowerCase(), value))
  );
}

function isErrorField(name: string): boolean {
  return name === 'error' || name === 'errores';
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
  if (name === 'paginacion') return false;
  // An empty list beside an error is what was not found out; publishing it would close every record.
  if (Array.isArray(value)) return value.length === 0;
  if (value === null || value === false || value === '') return true;
  // `estado: "unavailable"` is data (agent/os); `status: 500` and `estado: "error"` are not.
  if (name === 'status' || name === 'estado') {
    return typeof value === 'number' || /^(error|fail|failed|failure|ko)$/i.test(String(value));
  }
  return descriptive.has(name);
}
