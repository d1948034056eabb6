// Learning which fields and types there are, from what publishing inserted and from nothing else.
import { sql } from 'kysely';
import { ahead, type Executor, type Row } from '../../db/database.ts';
import type { SliceKey, VersionScope } from '../slices/slices.ts';

/** Brings `sync.drift` up to date with the published slices; returns the conflicts that a newer run date has. */
export async function noteKeyConflicts(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`
    select source, kind, path, type, example from sync.note_key_conflicts()`.execute(db);
  return result.rows;
}

/** Most keys of a path: an object nested deeper stays jsonb. */
export const maxDepth = 4;

/** Returns the name of a stream's envelope for fields and views. */
function envelopeSource(stream: string): string {
  return `${stream}_envelope`;
}

interface Inserted {
  readonly versions: number;
  /** They are all that the walk found, so its pages tell where there is something to learn. */
  readonly isAll: boolean;
  /** The stream's bodies hold something beside their lists. */
  readonly hasEnvelope: boolean;
}

/** Notes paths and types of the versions that the publish in hand inserted. */
export async function learnFields(
  tx: Executor,
  slice: SliceKey,
  scope: VersionScope,
  { versions, isAll, hasEnvelope }: Inserted,
): Promise<void> {
  const of = sql`${scope.account}, ${scope.clientId}, ${scope.runDate}::date`;
  if (versions > 0) {
    const pages = isAll ? slice.sliceId : null;
    await sql`
      select sync.learn_fields(${scope.stream}, ${scope.stream}, ${of}, null, ${maxDepth}, ${versions}, ${pages}::bigint) ${ahead}`.execute(
      tx,
    );
  }
  if (!hasEnvelope) return;
  await sql`
    select sync.learn_fields(${envelopeSource(scope.stream)}, 'envelope', ${of}, ${scope.stream}, ${maxDepth}, 1) ${ahead}`.execute(
    tx,
  );
}

export type DriftKind = Row<'sync.drift'>['kind'];

export interface Drift {
  readonly source: string;
  readonly kind: DriftKind;
  readonly path: readonly string[];
  readonly type: string;
  readonly example: string | null;
}

/** Brings `sync.field` up to date with what was published; returns the drift that is new. */
export async function mergeFields(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`select source, kind, path, type, example from sync.merge_fields()`.execute(
    db,
  );
  return result.rows;
}
