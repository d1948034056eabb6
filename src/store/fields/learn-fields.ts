// Learns which fields and types there are, only from what publishing inserted.
import { sql } from 'kysely';
import { ahead, type Executor, type Row } from '../../db/database.ts';
import type { SliceKey, VersionScope } from '../slices/slices.ts';

/** Updates `sync.drift` with the published slices; returns the conflicts of a newer run date. */
export async function noteKeyConflicts(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`
    select source, kind, path, type, example from sync.note_key_conflicts()`.execute(db);
  return result.rows;
}

/** Maximum length of a path; deeper objects stay jsonb. */
export const maxDepth = 4;

function envelopeSource(stream: string): string {
  return `${stream}_envelope`;
}

interface Inserted {
  readonly versions: number;
  /** True if these are all that the walk found, so that its pages tell where there is something to learn. */
  readonly isAll: boolean;
  /** The stream's bodies hold more than their lists. */
  readonly hasEnvelope: boolean;
}

/** Notes paths and types of the versions that the current publish inserted. */
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

/** Updates `sync.field` with what was published; returns the new drift. */
export async function mergeFields(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`select source, kind, path, type, example from sync.merge_fields()`.execute(
    db,
  );
  return result.rows;
}
