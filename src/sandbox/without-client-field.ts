// A body without the field that says whose a record is, as an API would answer that does not name clients.
import { type JsonObject, type JsonValue, RawNumber } from './json-literal.ts';

/** A copy without `cliente`, at any depth. */
export function withoutClientField(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (name === 'cliente' ? [] : [[name, stripped(value)]])),
  );
}

function stripped(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  return isList(value) ? value.map(stripped) : withoutClientField(value);
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
