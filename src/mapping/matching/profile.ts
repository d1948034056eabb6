// A profile of a sample of records: how often each path is filled, with which kinds and values. Pure.

export type Scalar = string | number | boolean;

export interface PathProfile {
  /** Keys; `[]` is each element of an array, `*` each entry of a map. */
  readonly path: readonly string[];
  readonly parents: number;
  readonly filled: number;
  readonly arrays: number;
  readonly objects: number;
  readonly values: readonly Scalar[];
  readonly lengths: readonly [number, number] | undefined;
}

/** Maximum values looked at per path; more would show the same. */
const mostValues = 400;
const mostPaths = 2_000;
const maxDepth = 6;
/** Longest array of numbers that may be a range or coordinates, in which positions mean something. */
const mostPositions = 4;

/** Profiles of all paths below the records, keyed by `pathKey`. */
export type Profiles = ReadonlyMap<string, PathProfile>;

export const pathKey = (path: readonly string[]): string => JSON.stringify(path);

class Place {
  parents = 0;
  filled = 0;
  arrays = 0;
  objects = 0;
  shortest = Number.POSITIVE_INFINITY;
  longest = 0;
  readonly values: Scalar[] = [];
  readonly below = new Map<string, Place>();

  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    this.path = path;
  }

  child(step: string): Place {
    const known = this.below.get(step);
    if (known !== undefined) return known;
    const fresh = new Place([...this.path, step]);
    this.below.set(step, fresh);
    return fresh;
  }
}

export function profileRecords(records: readonly unknown[]): Profiles {
  const root = new Place([]);
  for (const record of records) note(root, record);
  const profiles = new Map<string, PathProfile>();
  collect(root, root.objects, profiles);
  return profiles;
}

function note(place: Place, value: unknown): void {
  if (value === null || value === undefined || value === '') return;
  place.filled += 1;
  if (Array.isArray(value)) {
    place.arrays += 1;
    place.shortest = Math.min(place.shortest, value.length);
    place.longest = Math.max(place.longest, value.length);
    if (place.path.length >= maxDepth) return;
    const elements = place.child('[]');
    for (const [index, element] of value.entries()) {
      note(elements, element);
      if (index < mostPositions && value.length <= mostPositions && typeof element !== 'object') {
        note(place.child(`[${index}]`), element);
      }
    }
    elements.parents += value.length;
  } else if (typeof value === 'object') {
    place.objects += 1;
    if (place.path.length >= maxDepth) return;
    for (const [key, member] of Object.entries(value)) {
      if (place.below.size < mostPaths) note(place.child(key), member);
    }
  } else if (place.values.length < mostValues) {
    place.values.push(value as Scalar);
  }
}

function collect(place: Place, parents: number, profiles: Map<string, PathProfile>): void {
  profiles.set(pathKey(place.path), {
    path: place.path,
    parents,
    filled: place.filled,
    arrays: place.arrays,
    objects: place.objects,
    values: place.values,
    lengths: place.arrays === 0 ? undefined : [place.shortest, place.longest],
  });
  const entries = entriesOf(place);
  if (entries !== undefined) {
    collect(entries.values, entries.values.filled, profiles);
    profiles.set(pathKey([...entries.values.path, '@key']), {
      path: [...entries.values.path, '@key'],
      parents: entries.keys.length,
      filled: entries.keys.length,
      arrays: 0,
      objects: 0,
      values: entries.keys,
      lengths: undefined,
    });
  }
  for (const [step, below] of place.below) {
    if (step === '[]') collect(below, below.parents, profiles);
    else if (step.startsWith('[')) collect(below, place.arrays, profiles);
    else if (entries === undefined || (place.below.size <= 12 && isName(step)))
      collect(below, place.objects, profiles);
  }
}

/** False for a key that is a date or number: one of many alike. */
const isName = (key: string) => !/^\d/.test(key);

/** Returns the entries of an object as one place, if all members are objects of one form: `motores.*`. */
function entriesOf(place: Place): { readonly values: Place; readonly keys: readonly string[] } | undefined {
  const members = [...place.below].filter(([step]) => !step.startsWith('['));
  if (members.length < 2 || place.path.length === 0) return undefined;
  if (members.some(([, member]) => member.objects === 0 || member.objects !== member.filled))
    return undefined;
  const forms = members.map(([, member]) => [...member.below.keys()]);
  const all = new Set(forms.flat());
  const common = [...all].filter((key) => forms.every((form) => form.includes(key)));
  if (common.length * 3 < all.size * 2) return undefined;
  const merged = new Place([...place.path, '*']);
  for (const [, member] of members) merge(merged, member);
  return {
    values: merged,
    keys: members.flatMap(([key, member]) => Array<string>(Math.min(member.filled, mostValues)).fill(key)),
  };
}

function merge(into: Place, from: Place): void {
  into.parents += from.parents;
  into.filled += from.filled;
  into.arrays += from.arrays;
  into.objects += from.objects;
  into.shortest = Math.min(into.shortest, from.shortest);
  into.longest = Math.max(into.longest, from.longest);
  into.values.push(...from.values.slice(0, mostValues - into.values.length));
  for (const [step, below] of from.below) merge(into.child(step), below);
}
