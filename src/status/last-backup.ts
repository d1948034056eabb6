// What is known of backups that were made: the summary of a batch holds it.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

/** What is noted of a backup, as `backup` in the summary of a batch. */
export interface BackupNote {
  /** Absolute; null: it went to stdout. */
  readonly file: string | null;
  readonly bytes: number | null;
  readonly made_at: string;
}

/** One by hand: a batch that is over, and says nothing of when a job is due. */
export async function noteBackup(db: Executor, note: BackupNote): Promise<void> {
  await db
    .insertInto('sync.batch')
    .values({
      job: 'backup',
      status: 'complete',
      selection: JSON.stringify({ is_aside: true }),
      summary: JSON.stringify({ backup: note }),
      started_at: new Date(note.made_at),
      finished_at: sql`now()`,
    })
    .execute();
}

/** By hand or by a job; null: none is known. */
export async function readLastBackup(db: Executor): Promise<BackupNote | null> {
  // What a job of the queue brought stands in `result`.
  const { rows } = await sql<{ backup: BackupNote }>`
    select coalesce(summary -> 'result' -> 'backup', summary -> 'backup') as backup
    from sync.batch
    where status = 'complete' and (summary -> 'result' ? 'backup' or summary ? 'backup')
    order by id desc limit 1`.execute(db);
  return rows[0]?.backup ?? null;
}
