// Every fault by name.

/** Bodies that say only that something went wrong. */
export const errorBodies = {
  'error only': { error: 'interno' },
  'Error only': { Error: 'interno' },
  'ERRORS only': { ERRORS: ['interno'] },
  'errors only': { errors: [{ code: 7, detail: 'interno' }] },
  'mensaje only': { mensaje: 'Vuelve luego' },
  'Mensaje only': { Mensaje: 'Vuelve luego' },
  'success false': { success: false },
  'Success FALSE with words': { Success: false, Mensaje: 'No' },
  'ok false': { ok: false },
  'OK false with mensaje': { OK: false, mensaje: 'Vuelve luego' },
  'error with code': { error: { code: 'E_INTERNAL' }, code: 500, ok: false },
} as const;

/** Bodies that are no object. */
export const noObjects = {
  'body is false': false,
  'body is a text': 'not_available',
  'body is a number': 0,
  'body is null': null,
} as const;

/** Values that stand under the list key in place of an array. */
export const noLists = {
  'list is false': false,
  'list is a text': 'not_available',
  'list is a number': 879,
  'list is an object': { '1': { id: 1 } },
} as const;

export const cursorRefusals = [400, 404, 409, 410, 414, 422, 431] as const;

export type FaultName =
  | keyof typeof errorBodies
  | keyof typeof noObjects
  | keyof typeof noLists
  | `cursor answers ${(typeof cursorRefusals)[number]}`
  | 'bare array'
  | 'empty array'
  | 'empty object'
  | 'list key missing'
  | 'list key renamed'
  | 'list is null'
  | 'error beside an empty list'
  | 'error beside an empty list in its envelope'
  | 'success false beside an empty list'
  | 'no usual field'
  | 'error and few usual fields'
  | 'empty list'
  | 'half the records'
  | 'half the records with status 206'
  | 'half the records beside an error'
  | 'a full page without its cursor'
  | 'page 2 is page 1 again'
  | 'records of another route'
  | 'a list of one error'
  | 'the list in place of details'
  | 'a page lost from the middle'
  | 'one record gone'
  | 'records stripped to their key'
  | 'one record 120 times'
  | 'every value null'
  | 'words in place of figures'
  | 'a page about maintenance'
  | 'trace of another run'
  | 'records of another client'
  | 'body of another client'
  | 'inserted at the start while walking'
  | 'deleted at the start while walking'
  | 'sorted anew while walking'
  | 'the same page for ever'
  | 'a cycle of pages'
  | 'shuffled pages'
  | 'empty pages for ever'
  | 'some empty pages'
  | 'endless fresh records'
  | 'far more pages than before'
  | 'ends on a full page'
  | 'answers 404'
  | 'answers 403'
  | 'answers 401'
  | 'cursor of 100 KB'
  | 'nested 5,000 deep'
  | 'nested 250 deep'
  | 'nested 150 deep'
  | 'invalid UTF-8'
  | 'retryAfter 121'
  | 'retryAfter 7200'
  | 'retryAfter 1e9'
  | 'retryAfter "x"'
  | 'retryAfter -1'
  | 'answers 500'
  | 'truncated'
  | 'reset'
  | 'hangs'
  | 'HTML with 200'
  | 'empty body'
  | 'state unavailable'
  | 'status unavailable'
  | 'demand not_available'
  | 'insufficient benchmark'
  | 'surfaces not available'
  | 'research in progress'
  | 'CSV header only'
  | 'CSV that is JSON'
  | 'CSV cut in a row'
  | 'id field renamed'
  | 'one client gone';
