// One short text for a value, whatever the order of its keys.
import { createHash } from 'node:crypto';

/** Ten hexadecimal digits; the same for values that are equal as JSON. */
export function stableHash(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex').slice(0, 10);
}

/** JSON with sorted keys; members that are null or undefined are left out, as servers do or do not write them. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${stableJson(member)}`);
  return `{${members.join(',')}}`;
}
