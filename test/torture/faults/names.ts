// Tables of values and statuses that make a fault each.

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
