// Writes JSON with number literals as given: integers beyond 2^53, decimals with trailing zeros.

/** A number that keeps its spelling in the JSON text. */
export class RawNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = string | number | boolean | null | RawNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type Records = readonly JsonObject[];

const numberLiteral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Makes a number literal, spelled as given. Throws RangeError if JSON has no such number. */
export function raw(text: string): RawNumber {
  if (!numberLiteral.test(text)) throw new RangeError(`Expected a JSON number literal, got "${text}"`);
  return new RawNumber(text);
}

/** Makes a number with exactly `digits` decimals: 63 with 2 digits is written 63.00. */
export function decimal(value: number, digits: number): RawNumber {
  const text = value.toFixed(digits);
  return new RawNumber(Number(text) === 0 ? text.replace('-', '') : text);
}

export function toJson(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof RawNumber) return value.text;
  let text = '';
  if (isList(value)) {
    for (const element of value) text += `${text === '' ? '' : ','}${toJson(element)}`;
    return `[${text}]`;
  }
  for (const key in value) {
    text += `${text === '' ? '' : ','}${keyText(key)}${toJson(value[key] ?? null)}`;
  }
  return `{${text}}`;
}

/** Keys repeat in every record, so their text is made once. */
const keyTexts = new Map<string, string>();

function keyText(key: string): string {
  let text = keyTexts.get(key);
  if (text === undefined) {
    text = `${JSON.stringify(key)}:`;
    keyTexts.set(key, text);
  }
  return text;
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
