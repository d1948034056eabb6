// Drift that was noticed lately, whichever run noticed it.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import type { DriftStatus } from './drift-report.ts';

/** A scheduler that was away for so many days still tells it. */
const days = 3;

/** The oldest first. */
export async function readNoticedDrift(db: Executor): Promise<DriftStatus[]> {
  const result = await sql<DriftStatus>`
    select source, kind, sync.path_text(path) as path, type, first_run_date, last_run_date, example
    from sync.drift where noticed_at > now() - make_interval(days => ${days}) order by id`.execute(db);
  return result.rows;
}
