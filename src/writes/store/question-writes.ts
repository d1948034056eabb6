// The requests of sync.write that carry questions, and whose questions they are. A question belongs to one request at most.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { repeatDays } from './questions.ts';
import { type OpenStatus, skipWrite } from './write-book.ts';

/** A request with questions that still have their text: it is not settled. */
export interface OpenQuestionWrite {
  readonly id: number;
  readonly status: OpenStatus;
  readonly attempts: number;
  readonly httpStatus: number | undefined;
  readonly answer: string | undefined;
  readonly sentAt: Date | undefined;
  readonly texts: readonly string[];
}

export interface PlannedQuestions {
  readonly id: number;
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

/** Body of a request with these questions. */
export type BodyOf = (texts: readonly string[]) => Uint8Array;

/** The next ones that wait become a request; undefined: none waits. */
export async function planQuestions(
  db: Executor,
  account: string,
  { most, bodyOf }: { readonly most: number; readonly bodyOf: BodyOf },
): Promise<PlannedQuestions | undefined> {
  return await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    const { rows } = await sql<{ hash: Buffer; text: string }>`
      select q.hash, q.text from sync.question q
      where q.account = ${account} and q.text is not null and q.write_id is null
      order by q.planned_at, q.hash limit ${most} for update`.execute(tx);
    if (rows.length === 0) return undefined;
    const texts = rows.map(({ text }) => text);
    const bytes = bodyOf(texts);
    const id = await insertWrite(tx, account, bytes, rows.length);
    await moveTo(
      tx,
      account,
      rows.map(({ hash }) => hash),
      id,
    );
    return { id, texts, bytes };
  });
}

/** The oldest first. */
export async function openQuestionWrites(
  db: Executor,
  account: string,
): Promise<readonly OpenQuestionWrite[]> {
  const { rows } = await sql<{
    id: number;
    status: OpenQuestionWrite['status'];
    attempts: number;
    http_status: number | null;
    answer: string | null;
    sent_at: Date | null;
    texts: string[];
  }>`
    select w.id, w.status, w.attempts, w.http_status, w.answer, w.sent_at,
      array_agg(q.text order by q.planned_at, q.hash) as texts
    from sync.write w join sync.question q on q.account = w.account and q.write_id = w.id and q.text is not null
    where w.account = ${account} and w.kind = 'questions' and w.status in ('planned', 'refused', 'unknown')
      and w.skipped_at is null
    group by w.account, w.id order by w.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    attempts: row.attempts,
    httpStatus: row.http_status ?? undefined,
    answer: row.answer ?? undefined,
    sentAt: row.sent_at ?? undefined,
    texts: row.texts,
  }));
}

/**
 * Of what is settled only the hashes stay, for as long as they keep a question from being sent again. What was left for
 * good counts as sent, since it may have arrived.
 */
export async function forgetSettled(db: Executor, account: string): Promise<void> {
  await sql`
    update sync.question q set text = null, sent_at = coalesce(w.sent_at, q.sent_at)
    from sync.write w
    where w.account = q.account and w.id = q.write_id and (w.status = 'accepted' or w.skipped_at is not null)
      and q.account = ${account} and q.text is not null`.execute(db);
  await sql`
    delete from sync.question q
    where q.account = ${account} and q.text is null
      and q.sent_at < now() - make_interval(days => ${repeatDays}::integer)`.execute(db);
}

/** Its questions wait again: for a request that was certainly not taken. One that was never sent is forgotten. */
export async function releaseQuestions(db: Executor, account: string, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    await sql`
      update sync.question q set write_id = null
      where q.account = ${account} and q.write_id = ${id}::bigint and q.text is not null`.execute(tx);
    await sql`
      delete from sync.write w
      where w.account = ${account} and w.id = ${id}::bigint and w.status = 'planned'`.execute(tx);
    await skipWrite(tx, { account, id });
  });
}

/** Each question of a refused request becomes a request of its own, so that the one that is not liked is found. */
export async function splitWrite(
  db: Executor,
  account: string,
  { id, bodyOf }: { readonly id: number; readonly bodyOf: BodyOf },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    const { rows } = await sql<{ hash: Buffer; text: string }>`
      select q.hash, q.text from sync.question q
      where q.account = ${account} and q.write_id = ${id}::bigint and q.text is not null
      order by q.planned_at, q.hash for update`.execute(tx);
    for (const { hash, text } of rows) {
      await moveTo(tx, account, [hash], await insertWrite(tx, account, bodyOf([text]), 1));
    }
    await skipWrite(tx, { account, id });
  });
}

/** Whether the service ever took a request of the account. */
export async function wasEverAccepted(db: Executor, account: string): Promise<boolean> {
  const row = await db
    .selectFrom('sync.write')
    .select('id')
    .where('account', '=', account)
    .where('kind', '=', 'questions')
    .where('status', '=', 'accepted')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function insertWrite(
  tx: Executor,
  account: string,
  bytes: Uint8Array,
  questions: number,
): Promise<number> {
  const { id } = await tx
    .insertInto('sync.write')
    .values({
      account,
      kind: 'questions',
      amount: questions,
      takes: questions,
      body_hash: createHash('sha256').update(bytes).digest(),
      body_bytes: bytes.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function moveTo(
  tx: Executor,
  account: string,
  hashes: readonly Buffer[],
  writeId: number,
): Promise<void> {
  await sql`
    update sync.question q set write_id = ${writeId}::bigint
    where q.account = ${account} and q.hash = any(${hashes}::bytea[])`.execute(tx);
}
