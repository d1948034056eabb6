// Numbers given as flags, checked all at once.

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Default true. */
  readonly whole?: boolean;
}

/** Undefined stays undefined; a fault is added for what is no number of the range. */
export function numberFlag(
  flag: string,
  text: string | undefined,
  range: NumberRange,
  faults: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const { min, max, whole = true } = range;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isSafeInteger(value))) return value;
  const kind = whole ? 'an integer' : 'a number';
  faults.push(`Expected ${flag} to be ${kind} from ${min} to ${max}, got "${text}"`);
  return undefined;
}
