// The collection that holds what airank made, and the marks by which it knows what is in it.
import { createHash } from 'node:crypto';
import { collections, MetabaseError, madeCollection, members, type StepContext } from './metabase-http.ts';

/** Stands at the end of a description: airank knows what it made, and sees whether people changed it. */
export interface Mark {
  readonly kind: 'database' | 'collection' | 'question' | 'dashboard';
  readonly key: string;
  /** Hash of the definition that it was made from. */
  readonly made: string;
  /** Hash of what Metabase showed of it then. */
  readonly shown: string;
}

/** In the place of a hash: a stop came before the end, and what is there is not what people wanted. */
export const unfinished = '-';

const form =
  /\s*\[airank (database|collection|question|dashboard) ([a-z0-9-]+) ([0-9a-f]{10}|-) ([0-9a-f]{10}|-)\]\s*$/;

export function marked(text: string, { kind, key, made, shown }: Mark): string {
  return `${text}\n\n[airank ${kind} ${key} ${made} ${shown}]`;
}

/** Undefined: people made it. */
export function markIn(description: string | null | undefined): Mark | undefined {
  const [, kind, key, made, shown] = form.exec(description ?? '') ?? [];
  if (key === undefined || made === undefined || shown === undefined) return undefined;
  return { kind: kind as Mark['kind'], key, made, shown };
}

export function unmarked(description: string | null | undefined): string {
  return (description ?? '').replace(form, '');
}

/** Ten hexadecimal digits; the same for values that are equal as JSON. */
export function stableHash(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex').slice(0, 10);
}

/** JSON with sorted keys; members that are null or undefined are left out, as servers do or do not write them. */
function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${stableJson(member)}`);
  return `{${members.join(',')}}`;
}

const name = 'AI Rank';
const about = 'Questions and dashboards that airank made. What people put here stays as it is.';
const mark: Mark = { kind: 'collection', key: 'pages', made: '-', shown: '-' };

export interface Made {
  readonly id: number;
  readonly mark: Mark;
  readonly inTrash: boolean;
}

/** The collection's id; undefined: a plan would make it. */
export async function collectionStep(context: StepContext): Promise<number | undefined> {
  const own = await findOwn(context, 'collection');
  if (own !== undefined) {
    context.note({ kind: 'collection', name: own.name, what: 'same' });
    return own.id;
  }
  if ((await findOwn(context, 'collection?archived=true')) !== undefined) {
    throw new MetabaseError(
      `Expected the collection "${name}" to be in its place, got it in the trash. Restore it, or empty the trash`,
    );
  }
  context.note({ kind: 'collection', name, what: 'create' });
  if (!context.apply) return undefined;
  const body = { name, description: marked(about, mark) };
  return (await context.http.post('collection', body, madeCollection)).id;
}

async function findOwn({ http }: StepContext, path: string) {
  const all = await http.get(path, collections);
  for (const { id, name, description } of all) {
    if (typeof id === 'number' && markIn(description)?.kind === 'collection') return { id, name };
  }
  return undefined;
}

/**
 * What airank made, by kind and key, in the collection or in the trash. A copy that people made bears the same mark;
 * the oldest is the original. What was moved elsewhere belongs to those who moved it.
 */
export async function findMade(
  { http }: StepContext,
  collectionId: number | undefined,
): Promise<ReadonlyMap<string, Made>> {
  const found = new Map<string, Made>();
  if (collectionId === undefined) return found;
  const trash = await http.get('collection/trash', madeCollection);
  for (const place of [collectionId, trash.id]) {
    const inTrash = place === trash.id;
    const path = `collection/${place}/items?models=card&models=dashboard&archived=${inTrash}`;
    const { data } = await http.get(path, members);
    for (const { id, description } of [...data].sort((one, other) => one.id - other.id)) {
      const mark = markIn(description);
      const key = mark === undefined ? '' : madeKey(mark);
      if (mark !== undefined && !found.has(key)) found.set(key, { id, mark, inTrash });
    }
  }
  return found;
}

export const madeKey = ({ kind, key }: Pick<Mark, 'kind' | 'key'>) => `${kind} ${key}`;
