// A public result for people: every value beside its name. Which fields it has is not documented.
import { parseExactly } from '../../core/exact-json.ts';
import { oneLine } from '../../core/one-line.ts';
import { namedLines } from './named-lines.ts';

/** @param body JSON as the service sent it */
export function publicLines(id: string, body: string, width: number): string[] {
  const rows = valuesIn(parseExactly(body), '').map(
    ([name, value]) => [oneLine(name), oneLine(value)] as const,
  );
  return [`Public result ${oneLine(id)}`, ...namedLines(rows, { width, indent: '  ' })];
}

/** `dimensiones.citas`, `58.2`. */
function valuesIn(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object' || element === null)) {
    return [[name, value.map(textOf).join(', ')]];
  }
  return entries.flatMap(([key, inner]) => valuesIn(inner, name === '' ? key : `${name}.${key}`));
}

function textOf(value: unknown): string {
  return value === null ? 'not known' : String(value);
}
