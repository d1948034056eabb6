// What people were told, kept so that a restart does not tell it again.
import { sql } from 'kysely';
import type { Executor } from './database.ts';

export interface Notice {
  /** What the trouble is, such as `key:acme`. */
  readonly cause: string;
  /** Its kind: `run_failed`, `run_incomplete`, `stream_late`, `key_refused`. */
  readonly kind: string;
  readonly account: string | undefined;
  readonly message: string;
  readonly since: Date;
  /** Undefined: it lasts. */
  readonly overAt: Date | undefined;
  readonly toldAt: Date | undefined;
  readonly toldOverAt: Date | undefined;
}

/** Trouble that lasts, and what was over in the last weeks. */
export async function readNotices(db: Executor): Promise<Notice[]> {
  const rows = await db
    .selectFrom('sync.notice')
    .selectAll()
    .where((eb) =>
      eb.or([eb('over_at', 'is', null), eb('over_at', '>', sql<Date>`now() - interval '30 days'`)]),
    )
    .orderBy('since')
    .execute();
  return rows.map((row) => ({
    cause: row.cause,
    kind: row.kind,
    account: row.account ?? undefined,
    message: row.message,
    since: row.since,
    overAt: row.over_at ?? undefined,
    toldAt: row.told_at ?? undefined,
    toldOverAt: row.told_over_at ?? undefined,
  }));
}

export async function saveNotices(db: Executor, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await db
    .insertInto('sync.notice')
    .values(
      notices.map((notice) => ({
        cause: notice.cause,
        kind: notice.kind,
        account: notice.account ?? null,
        message: notice.message,
        since: notice.since,
        over_at: notice.overAt ?? null,
        told_at: notice.toldAt ?? null,
        told_over_at: notice.toldOverAt ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('cause').doUpdateSet({
        kind: (eb) => eb.ref('excluded.kind'),
        account: (eb) => eb.ref('excluded.account'),
        message: (eb) => eb.ref('excluded.message'),
        since: (eb) => eb.ref('excluded.since'),
        over_at: (eb) => eb.ref('excluded.over_at'),
        told_at: (eb) => eb.ref('excluded.told_at'),
        told_over_at: (eb) => eb.ref('excluded.told_over_at'),
      }),
    )
    .execute();
  await sql`delete from sync.notice where over_at < now() - interval '30 days'`.execute(db);
}
