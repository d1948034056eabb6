// Paths that are written another way than the record writes them: letter case, `_` and `-` make no other field.

/** The path with its names as the record spells them; undefined when the record has no such field. */
export function spelledAs(path: readonly string[], record: unknown): readonly string[] | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const fields = Object.entries(record);
  const field =
    fields.find(([key]) => key === name) ??
    fields.find(([key]) => normalizedName(key) === normalizedName(name));
  if (field === undefined) return undefined;
  const below = spelledAs(rest, field[1]);
  return below === undefined ? undefined : [field[0], ...below];
}

export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((name, index) => normalizedName(name) === normalizedName(other[index] ?? ''))
  );
}

/** What is at a path that is spelled as in the record. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined,
    record,
  );
}

function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
