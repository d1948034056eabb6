// Drift that was noticed lately, whichever run noticed it.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { type DriftStatus, selectDrift } from './drift-report.ts';

/** A scheduler that was away for so many days still tells it. */
const days = 3;

/** The oldest first. */
export async function readRecentDrift(db: Executor): Promise<DriftStatus[]> {
  return await selectDrift(db)
    .where('noticed_at', '>', sql<Date>`now() - make_interval(days => ${days})`)
    .orderBy('id')
    .execute();
}
