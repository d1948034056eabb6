// The origin of a view's column: the fields and facts that its value is made from, without filters and join
// conditions.

/** Data that needs no mapping: keys, dates of slices, bookkeeping. */
interface Known {
  readonly kind: 'known';
}

export interface FieldOrigin {
  readonly kind: 'field';
  readonly source: string;
  readonly field: string;
}

interface Combined {
  /**
   * `all`: null where one is; `any`: the first that is there; `each`: some rows come from the one, some from the
   * other.
   */
  readonly kind: 'all' | 'any' | 'each';
  readonly of: readonly Origin[];
}

export type Origin = Known | FieldOrigin | Combined;

export const known: Known = { kind: 'known' };

/** Simplifies: repeats nothing, and nests no origin of its own kind. */
export function combine(kind: Combined['kind'], of: readonly Origin[]): Origin {
  const parts = new Map(
    of
      .flatMap((one) => ('of' in one && (one.kind === kind || one.of.length === 0) ? one.of : [one]))
      .map((one) => [keyOf(one), one]),
  );
  const [only] = parts.values();
  return parts.size === 1 && only !== undefined ? only : { kind, of: [...parts.values()] };
}

export function fieldsOf(origin: Origin): readonly FieldOrigin[] {
  const fields = (one: Origin): readonly FieldOrigin[] => {
    if (one.kind === 'field') return [one];
    return one.kind === 'known' ? [] : one.of.flatMap(fields);
  };
  return [...new Map(fields(origin).map((one) => [keyOf(one), one])).values()];
}

/** True if the value is there whatever is mapped. */
export function isAlwaysThere(origin: Origin): boolean {
  return origin.kind === 'known' || (origin.kind === 'any' && origin.of.some(isAlwaysThere));
}

function keyOf(origin: Origin): string {
  switch (origin.kind) {
    case 'known':
      return '';
    case 'field':
      return `${origin.source}.${origin.field}`;
    default:
      return `${origin.kind}(${origin.of.map(keyOf).join(' ')})`;
  }
}
