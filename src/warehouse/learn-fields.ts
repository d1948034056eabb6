// Learning which fields and types there are, from what publishing inserted and from nothing else.
import { sql } from 'kysely';
import type { Executor } from './database.ts';
import type { VersionCounts, VersionScope } from './versions.ts';

/** What the envelope of a stream is called where fields and views are named. */
export function envelopeSource(stream: string): string {
  return `${stream}_envelope`;
}

/** Notes paths and types of the versions that the publish in hand inserted. Costs nothing when there are none. */
export async function learnFields(tx: Executor, scope: VersionScope, counts: VersionCounts): Promise<void> {
  const learn = (source: string, stream: string, key: string | null, records: number) => sql`
    select sync.learn(${source}, ${stream}, ${scope.account}, ${scope.clientId}, ${scope.runDate}::date, ${key}, ${records})`;
  const written = counts.inserted + counts.changed;
  if (written > 0) await learn(scope.stream, scope.stream, null, written).execute(tx);
  await learn(envelopeSource(scope.stream), 'envelope', scope.stream, 1).execute(tx);
}

export interface Drift {
  readonly source: string;
  readonly kind: 'new_field' | 'new_type' | 'field_gone' | 'identity_conflict';
  readonly path: readonly string[];
  readonly type: string;
  readonly example: string | null;
}

/** Brings `sync.field` up to date with what was published; returns the drift that is new. */
export async function mergeLearned(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`select source, kind, path, type, example from sync.merge_learned()`.execute(
    db,
  );
  return result.rows;
}
