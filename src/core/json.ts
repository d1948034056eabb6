// JSON of others: what is an object, and numbers that JavaScript cannot hold with every digit.
const literals = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** A number that would be another one becomes its text. @throws SyntaxError when it is no JSON */
export function parseExactly(json: string): unknown {
  return JSON.parse(
    json.replaceAll(literals, (literal) => (isExact(literal) ? literal : JSON.stringify(literal))),
  );
}

function isExact(literal: string): boolean {
  return literal.startsWith('"') || !/^-?\d{16,}|\d\.\d{16,}|[eE]/.test(literal);
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object of JSON: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
