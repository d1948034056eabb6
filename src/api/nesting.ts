// Whether a parsed body nests deeper than later code may recurse. Recurses no further than that itself.
import { isObject } from '../core/json.ts';

/** True when `value` has more than `most` levels; a list or an object of scalars is one, a scalar none. */
export function nestsDeeper(value: unknown, most: number): boolean {
  return typeof value === 'object' && value !== null && isDeeper(value, most);
}

/** A million records pass here: no call for a scalar, no list of an object's members. */
function isDeeper(value: object, most: number): boolean {
  if (most === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) {
      if (typeof element === 'object' && element !== null && isDeeper(element, most - 1)) return true;
    }
    return false;
  }
  if (!isObject(value)) return false;
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && member !== null && isDeeper(member, most - 1)) return true;
  }
  return false;
}
