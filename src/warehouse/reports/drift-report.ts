// What `airank status` says of the data itself: drift, and views that do not show all of it.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import type { DriftKind } from '../fields/learn-fields.ts';

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

export interface ViewTrouble {
  readonly source: string;
  readonly error: string;
}

/** The newest first. */
export async function readDrift(db: Executor): Promise<DriftStatus[]> {
  const result = await sql<DriftStatus>`
    select source, kind, sync.path_text(path) as path, type, first_run_date, last_run_date, example
    from sync.drift order by last_run_date desc, id desc`.execute(db);
  return result.rows;
}

/** Sources whose views are behind, or whose fields could not be read. */
export async function readViewTroubles(db: Executor): Promise<ViewTrouble[]> {
  const result = await sql<ViewTrouble>`
    select source, coalesce(view_error, 'fields of ' || learn_error) as error
    from sync.source where coalesce(view_error, learn_error) is not null order by source`.execute(db);
  return result.rows;
}
