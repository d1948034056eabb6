// Objects of JSON.

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object of JSON: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
