// Answers that are asked for again within a short time, or while they are being read, are read once.

export interface Remembered<Value> {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
}

/** @param ttlMs how long an answer is given again @param most answers that are held; the oldest go first */
export function remember<Value>(
  ttlMs: number,
  most: number,
  now: () => number = Date.now,
): Remembered<Value> {
  const held = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();
  return {
    get(key, read) {
      const known = held.get(key);
      if (known !== undefined && now() < known.until) return known.value;
      const value = read();
      held.delete(key);
      held.set(key, { value, until: now() + ttlMs });
      // What failed is asked for again.
      value.catch(() => {
        if (held.get(key)?.value === value) held.delete(key);
      });
      for (const oldest of held.keys()) {
        if (held.size <= most) break;
        held.delete(oldest);
      }
      return value;
    },
  };
}
