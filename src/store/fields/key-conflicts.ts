// Identity conflicts as drift: streams whose fixed key was missing or repeated in what was published.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Drift } from './learn-fields.ts';

/** Brings `sync.drift` up to date with the published slices; returns the conflicts that a newer run date has. */
export async function noteKeyConflicts(db: Executor): Promise<Drift[]> {
  const result = await sql<Drift>`
    select source, kind, path, type, example from sync.note_key_conflicts()`.execute(db);
  return result.rows;
}
