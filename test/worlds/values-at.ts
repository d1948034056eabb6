// Finds what a path leads to, written anew for tests: names, [], indexes, .* and @key. Readers are left out.

type Step = { readonly kind: 'name' | 'index' | 'each' | 'entries' | 'key'; readonly text: string };

/** The key under which an entry of a map stood, for `@key`. */
const keys = new WeakMap<object, string>();

function stepsOf(path: string): Step[] {
  const [place = ''] = path.split(' | ');
  const steps = place.replace(/^\^+/, '').matchAll(/"((?:[^"\\]|\\.)*)"|\[(-?\d*)\]|\.|[^.[\]"]+/g);
  return [...steps].flatMap(([whole, quoted, index]): Step[] => {
    if (whole === '.') return [];
    if (quoted !== undefined) return [{ kind: 'name', text: quoted.replaceAll(/\\(.)/g, '$1') }];
    if (index !== undefined) return [{ kind: index === '' ? 'each' : 'index', text: index }];
    if (whole === '*') return [{ kind: 'entries', text: '' }];
    return [{ kind: whole === '@key' ? 'key' : 'name', text: whole }];
  });
}

/**
 * Every value that is there; nothing where a step leads nowhere.
 * @param spread an array at the end stands for its elements, as the rows of a source do
 */
export function valuesAt(start: unknown, path: string, spread = false): unknown[] {
  let found = [start];
  for (const step of stepsOf(path)) found = found.flatMap((value) => follow(value, step));
  return spread ? found.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value])) : found;
}

function follow(value: unknown, { kind, text }: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (kind === 'key') return [keys.get(value)].filter((key) => key !== undefined);
  if (kind === 'each') return Array.isArray(value) ? value : [];
  if (kind === 'index') return Array.isArray(value) ? [value.at(Number(text))] : [];
  if (kind === 'name') return text in value ? [(value as Record<string, unknown>)[text]] : [];
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'object' && entry !== null) keys.set(entry, key);
  }
  return Object.values(value);
}

/** Takes away what a path leads to; of a position or an element the array that holds it. */
export function removeAt(start: unknown, path: string): void {
  const steps = stepsOf(path);
  while (steps.length > 0 && steps.at(-1)?.kind !== 'name') steps.pop();
  const last = steps.pop();
  let holders = [start];
  for (const step of steps) holders = holders.flatMap((value) => follow(value, step));
  for (const holder of holders) {
    if (last !== undefined && typeof holder === 'object' && holder !== null)
      delete (holder as Record<string, unknown>)[last.text];
  }
}
