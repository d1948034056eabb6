// What `airank status` says of the data itself: drift, and views that do not show all of it.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import type { DriftKind } from '../store/fields/learn-fields.ts';

export interface DriftStatus {
  readonly source: string;
  readonly kind: DriftKind;
  /** `detalle.fuentes[].url` */
  readonly path: string;
  readonly type: string;
  readonly first_run_date: string;
  readonly last_run_date: string;
  readonly example: string | null;
}

export interface ViewFault {
  readonly source: string;
  readonly error: string;
}

/** The newest first. */
export async function readDrift(db: Executor): Promise<DriftStatus[]> {
  return await selectDrift(db).orderBy('last_run_date', 'desc').orderBy('id', 'desc').execute();
}

/** Drift as people read it, in no order. */
export function selectDrift(db: Executor) {
  const path = sql<string>`sync.path_text(path)`.as('path');
  return db
    .selectFrom('sync.drift')
    .select(['source', 'kind', path, 'type', 'first_run_date', 'last_run_date', 'example']);
}

/** Sources whose views are stale, or whose fields could not be read. */
export async function readViewFaults(db: Executor): Promise<ViewFault[]> {
  const result = await sql<ViewFault>`
    select source, coalesce(view_error, 'fields of ' || learn_error) as error
    from sync.source where coalesce(view_error, learn_error) is not null order by source`.execute(db);
  return result.rows;
}
