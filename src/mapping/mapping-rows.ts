// The rows of sync.mapping.
import { sql } from 'kysely';
import { anyOf, type Executor, type Row } from '../db/database.ts';
import type { LogicalSource } from './logical/logical-source.ts';
import { sourcesOf } from './logical/logical-sources.ts';
import { parsePlace } from './logical/place.ts';

export interface Mapped {
  readonly field: string;
  /** Canonical text of a place; null if mapped to nothing on purpose. */
  readonly path: string | null;
}

export type MappingOrigin = Row<'sync.mapping'>['origin'];

export interface MappingRow extends Mapped {
  readonly source: string;
  readonly origin: MappingOrigin;
  readonly score: string | null;
  readonly filled: string | null;
  readonly read: string | null;
}

/** @param only source to read; default: all */
export const storedMapping = (only?: LogicalSource) => sql<MappingRow>`
  select source, field, path, origin, score::text, filled::text, read::text from sync.mapping
  where ${only === undefined} or source = ${only?.name ?? ''}`;

/** @param only source to read; default: all */
export async function readMapping(db: Executor, only?: LogicalSource): Promise<MappingRow[]> {
  return (await storedMapping(only).execute(db)).rows;
}

export type ClientPlace = Pick<MappingRow, 'source' | 'path'>;

/** SQL for the paths at which bodies or records of a stream name their client. */
export const clientPlaces = (stream: string) => sql<ClientPlace>`
  select source, path from sync.mapping
  where field = 'client' and source = ${anyOf(sourcesOf(stream).map(({ name }) => name))}`;

/** Returns each path as names from the outermost object. */
export function clientPathsOf(
  stream: string,
  places: readonly ClientPlace[],
): readonly (readonly string[])[] {
  const sources = new Map(sourcesOf(stream).map((source) => [source.name, source]));
  return places.flatMap(({ source, path }) => {
    if (path === null) return [];
    const { base, steps } = parsePlace(path);
    // Rows inside a record may belong to any client.
    if (base === 'row' && sources.get(source)?.rows !== undefined) return [];
    const names = steps.flatMap((step) => (step.kind === 'name' ? [step.name] : []));
    return names.length === steps.length ? [names] : [];
  });
}
