// Where the rows that views show now found each logical field, and since when any record has it.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { rowsField } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { type PlaceBase, parsePlace, type Step } from '../../mapping/logical/place.ts';
import { rowSteps } from '../../mapping/logical/place-sql.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';

export interface FieldPlace {
  readonly path: string;
  /** Run date of the first record that had a value there; undefined: nobody knows, or it always did. */
  readonly since: string | undefined;
}

/** By source and field, as `crawl.status`; what is not found, or of which nothing is published, is left out. */
export async function readFieldPlaces(db: Executor): Promise<ReadonlyMap<string, FieldPlace>> {
  const tables = await db
    .selectFrom('sync.typed_table')
    .select(['source', 'mapping'])
    .where('is_next', '=', false)
    .execute();
  const seen = await sql<{ source: string; path: string[]; since: string }>`
    select source, path, min(first_run_date) as since from sync.field
    where type not in ('null', 'empty') group by source, path`.execute(db);
  const since = new Map(seen.rows.map((row) => [JSON.stringify([row.source, row.path]), row.since]));
  return new Map(
    tables.flatMap(({ source, mapping }) =>
      (mapping ?? []).flatMap(({ field, path }): [string, FieldPlace][] =>
        path === null
          ? []
          : [
              [
                `${source}.${field}`,
                { path, since: since.get(seenAt(source, field, path, mapping ?? []) ?? '') },
              ],
            ],
      ),
    ),
  );
}

/** Which path of sync.field the values of a place are at; undefined: of entries of a map, which are not listed there. */
function seenAt(name: string, field: string, text: string, mapping: readonly Mapped[]): string | undefined {
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) return undefined;
  const { base, steps } = parsePlace(text);
  const rows = mapping.find((one) => one.field === rowsField)?.path ?? undefined;
  const above = base === 'row' && rows !== undefined ? rowSteps(parsePlace(rows).steps) : [];
  // That a list is there says nothing: it may be empty.
  const all = field === rowsField ? rowSteps(steps) : [...above, ...steps];
  const path = all.flatMap((step) => keyOf(step) ?? []);
  return path.length < all.length ? undefined : JSON.stringify([seenIn(source, base), path]);
}

const seenIn = (source: { readonly stream: string; readonly envelope: boolean }, base: PlaceBase) =>
  source.envelope || base === 'envelope' ? `${source.stream}_envelope` : source.stream;

function keyOf(step: Step): string | undefined {
  if (step.kind === 'name') return step.name;
  return step.kind === 'each' || step.kind === 'index' ? '[]' : undefined;
}
