// Waits until Metabase knows the views of `bi` and their columns. It reads them on its own time.
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { biSchemas } from '../../db/schemas.ts';
import { type field, MetabaseError, metadata, nothing, type StepContext } from './metabase-http.ts';

export type Field = z.infer<typeof field>;

/** View, as `bi.clients` → column → Metabase's field. */
export type KnownViews = ReadonlyMap<string, ReadonlyMap<string, Field>>;

export interface SchemaWait {
  /** Every view that must be known, with the columns that filters are on. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  readonly waitMs: number;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/** What Metabase knows; in a plan perhaps less than what is wanted. @throws MetabaseError when it takes too long */
export async function schemaStep(
  context: StepContext,
  databaseId: number,
  wait: SchemaWait,
): Promise<KnownViews> {
  let known = await readKnown(context, databaseId);
  if (lacking(known, wait.views).length === 0) {
    context.note({ kind: 'schema', name: `${known.size} views of bi`, what: 'same' });
    return known;
  }
  const missing = lacking(known, wait.views);
  context.note({
    kind: 'schema',
    name: `${new Set(missing.map((one) => one.split('.', 2).join('.'))).size} views of bi`,
    what: 'change',
    why: 'Metabase reads them',
  });
  if (!context.apply) return known;
  await context.http.post(`database/${databaseId}/sync_schema`, {}, nothing);
  const until = Date.now() + wait.waitMs;
  while (lacking(known, wait.views).length > 0) {
    if (Date.now() >= until) throw tooLate(lacking(known, wait.views), wait.waitMs);
    await delay(wait.pauseMs, undefined, { signal: wait.signal });
    known = await readKnown(context, databaseId);
  }
  return known;
}

/** Metabase learns view by view, and column by column. */
function lacking(known: KnownViews, views: SchemaWait['views']): string[] {
  return [...views].flatMap(([view, columns]) => {
    const found = known.get(view);
    if (found === undefined || found.size === 0) return [view];
    return columns.filter((column) => !found.has(column)).map((column) => `${view}.${column}`);
  });
}

async function readKnown({ http }: StepContext, databaseId: number): Promise<KnownViews> {
  const { tables } = await http.get(`database/${databaseId}/metadata?include_hidden=true`, metadata);
  return new Map(
    tables
      .filter(({ schema }) => biSchemas.some((name) => name === schema))
      .map(({ schema, name, fields }) => [
        `${schema}.${name}`,
        new Map((fields ?? []).map((one) => [one.name, one])),
      ]),
  );
}

function tooLate(missing: readonly string[], waitMs: number): MetabaseError {
  const few = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
  return new MetabaseError(
    `Expected Metabase to read all views of bi in ${Math.round(waitMs / 1000)} seconds, got none of ${few}. ` +
      'Run apply again, perhaps with a longer --wait-seconds. If it stays so: can Metabase reach the warehouse, ' +
      'and is that up to date (airank migrate)?',
  );
}
