// The collection that holds everything airank made, and the marks by which it is recognised.
import { collections, MetabaseError, madeCollection, members, type StepContext } from './metabase-http.ts';

/** Ends a description, so that airank recognises what it made. */
export interface Mark {
  readonly kind: 'database' | 'collection' | 'question' | 'dashboard';
  readonly key: string;
}

const form = /\s*\[airank (database|collection|question|dashboard) ([a-z0-9-]+)\]\s*$/;

export function marked(text: string, mark: Mark): string {
  return `${text}\n\n[airank ${madeKey(mark)}]`;
}

/** Undefined for items that people made. */
export function markIn(description: string | null | undefined): Mark | undefined {
  const [, kind, key] = form.exec(description ?? '') ?? [];
  return key === undefined ? undefined : { kind: kind as Mark['kind'], key };
}

const name = 'AI Rank';
const about = 'Questions and dashboards that airank made. What people put here stays as it is.';
const mark: Mark = { kind: 'collection', key: 'pages' };

export interface Made {
  readonly id: number;
  readonly kind: Mark['kind'];
  readonly inTrash: boolean;
}

export async function collectionStep(context: StepContext): Promise<number> {
  const own = await findOwn(context, 'collection');
  if (own !== undefined) {
    context.note({ kind: 'collection', name: own.name, what: 'same' });
    return own.id;
  }
  if ((await findOwn(context, 'collection?archived=true')) !== undefined) {
    throw new MetabaseError(
      `The collection "${name}" is in the trash of Metabase. Restore it, or empty the trash`,
    );
  }
  context.note({ kind: 'collection', name, what: 'create' });
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
 * Lists the items that airank made, by kind and key, in the collection or the trash. A person's copy has the same mark,
 * so the oldest is the original. An item that was moved elsewhere belongs to the people who moved it.
 */
export async function findMade(
  { http }: StepContext,
  collectionId: number,
): Promise<ReadonlyMap<string, Made>> {
  const found = new Map<string, Made>();
  const trash = await http.get('collection/trash', madeCollection);
  for (const place of [collectionId, trash.id]) {
    const inTrash = place === trash.id;
    const path = `collection/${place}/items?models=card&models=dashboard&archived=${inTrash}`;
    const { data } = await http.get(path, members);
    for (const { id, description } of [...data].sort((one, other) => one.id - other.id)) {
      const mark = markIn(description);
      const key = mark === undefined ? '' : madeKey(mark);
      if (mark !== undefined && !found.has(key)) found.set(key, { id, kind: mark.kind, inTrash });
    }
  }
  return found;
}

export const madeKey = ({ kind, key }: Mark) => `${kind} ${key}`;
