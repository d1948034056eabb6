// The measurements in sync.write. A measurement is wanted now or not at all, so none waits.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface OpenMeasurement {
  readonly id: number;
  readonly business: string;
  readonly sentAt: Date | undefined;
  readonly answer: string | undefined;
}

export async function planMeasurement(
  db: Executor,
  account: string,
  { business, bytes }: { readonly business: string; readonly bytes: Uint8Array },
): Promise<number> {
  const { id } = await db
    .insertInto('sync.write')
    .values({
      account,
      kind: 'measurement',
      amount: 1,
      subject: business,
      body_bytes: bytes.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Forgets measurements that were planned and never sent. One with an earlier attempt of unknown outcome becomes unknown
 * again. @returns businesses of the forgotten ones
 */
export async function forgetUnsent(db: Executor, account: string): Promise<readonly string[]> {
  await sql`
    update sync.write set status = 'unknown', sent_at = coalesce(sent_at, planned_at), ended_at = clock_timestamp(),
      answer = 'sent before, and nobody knows whether it arrived'
    where account = ${account} and kind = 'measurement' and status = 'planned' and attempts > 0`.execute(db);
  const gone = await db
    .deleteFrom('sync.write')
    .where('account', '=', account)
    .where('kind', '=', 'measurement')
    .where('status', '=', 'planned')
    .returning('subject')
    .execute();
  return gone.map(({ subject }) => subject ?? '');
}

/**
 * Finds the newest measurement of a business with an unknown outcome in the last 24 hours; after that, measuring the
 * same business is a new request.
 */
export async function unknownMeasurement(
  db: Executor,
  account: string,
  business: string,
): Promise<OpenMeasurement | undefined> {
  const row = await db
    .selectFrom('sync.write')
    .select(['id', 'sent_at', 'answer'])
    .where('account', '=', account)
    .where('kind', '=', 'measurement')
    .where('status', '=', 'unknown')
    .where('skipped_at', 'is', null)
    .where('subject', '=', business)
    .where('sent_at', '>', sql<Date>`now() - interval '24 hours'`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { id: row.id, business, sentAt: row.sent_at ?? undefined, answer: row.answer ?? undefined };
}
