// Questions that wait or were sent (sync.question), and the requests of sync.write that carry them. A question belongs
// to at most one request.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type OpenStatus, skipWrite } from './write-states.ts';

/** Days within which a question is not repeated unless asked to. Our own rule. */
export const repeatDays = 90;

interface HashedQuestion {
  readonly hash: Buffer;
  readonly text: string;
}

/**
 * The reason why a question is not taken: it already waits, its request is unsettled, or it was sent within
 * `repeatDays`.
 */
type KnownAs = 'waits' | 'unsettled' | 'sent';

type KnownCounts = Readonly<Record<KnownAs, number>>;

export interface TakenQuestions extends KnownCounts {
  readonly taken: number;
}

const isRecent = sql<boolean>`coalesce(q.sent_at > now() - make_interval(days => ${repeatDays}::integer), false)`;

/** Counts what would become of the questions, without changing anything. */
export async function countKnown(
  db: Executor,
  account: string,
  questions: readonly HashedQuestion[],
): Promise<TakenQuestions> {
  const { rows } = await sql<{ known: KnownAs; questions: number }>`
    select known, count(*)::integer as questions from (
      select case when q.text is not null and q.write_id is null then 'waits'
        when q.text is not null then 'unsettled' when ${isRecent} then 'sent' end as known
      from sync.question q
      where q.account = ${account} and q.hash = any(${hashesOf(questions)})
    ) as found where known is not null group by known`.execute(db);
  const counted = (one: KnownAs) => rows.find(({ known }) => known === one)?.questions ?? 0;
  const [sent, waits, unsettled] = [counted('sent'), counted('waits'), counted('unsettled')];
  return { taken: questions.length - sent - waits - unsettled, sent, waits, unsettled };
}

export async function takeQuestions(
  db: Executor,
  account: string,
  questions: readonly HashedQuestion[],
): Promise<TakenQuestions> {
  return await db.transaction().execute(async (tx) => {
    const known = await countKnown(tx, account, questions);
    const { rows } = await sql`
      insert into sync.question as q (account, hash, text, planned_at)
      select ${account}, n.hash, n.text, now() + n.place * interval '1 microsecond'
      from unnest(${hashesOf(questions)}, ${questions.map(({ text }) => text)}::text[])
        with ordinality as n (hash, text, place)
      on conflict (account, hash) do update set text = excluded.text, write_id = null, planned_at = excluded.planned_at
      where q.text is null and not ${isRecent}
      returning 1`.execute(tx);
    return { ...known, taken: rows.length };
  });
}

export async function countWaiting(db: Executor, account: string): Promise<number> {
  const { waiting } = await db
    .selectFrom('sync.question')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('account', '=', account)
    .where('text', 'is not', null)
    .where('write_id', 'is', null)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Drops the questions that wait; those sent before stay known by their hash. */
export async function dropWaiting(db: Executor, account: string): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const waits = sql`q.account = ${account} and q.text is not null and q.write_id is null`;
    const gone = await sql`delete from sync.question q where ${waits} and q.sent_at is null`.execute(tx);
    const emptied = await sql`update sync.question q set text = null where ${waits}`.execute(tx);
    return Number(gone.numAffectedRows ?? 0) + Number(emptied.numAffectedRows ?? 0);
  });
}

function hashesOf(questions: readonly HashedQuestion[]): RawBuilder<unknown> {
  return sql`${questions.map(({ hash }) => hash)}::bytea[]`;
}

export interface OpenQuestionWrite {
  readonly id: number;
  readonly status: OpenStatus;
  readonly attempts: number;
  readonly httpStatus: number | undefined;
  readonly answer: string | undefined;
  readonly sentAt: Date | undefined;
  readonly texts: readonly string[];
}

interface PlannedQuestions {
  readonly id: number;
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

type BodyOf = (texts: readonly string[]) => Uint8Array;

/** Makes the next waiting questions into a request; undefined if none waits. */
export async function planQuestions(
  db: Executor,
  account: string,
  { most, bodyOf }: { readonly most: number; readonly bodyOf: BodyOf },
): Promise<PlannedQuestions | undefined> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ hash: Buffer; text: string }>`
      select q.hash, q.text from sync.question q
      where q.account = ${account} and q.text is not null and q.write_id is null
      order by q.planned_at, q.hash limit ${most} for update`.execute(tx);
    if (rows.length === 0) return undefined;
    const texts = rows.map(({ text }) => text);
    const bytes = bodyOf(texts);
    const amount = rows.length;
    const { id } = await tx
      .insertInto('sync.write')
      .values({ account, kind: 'questions', amount, takes: amount, body_bytes: bytes.length })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      update sync.question q set write_id = ${id}::bigint
      where q.account = ${account} and q.hash = any(${rows.map(({ hash }) => hash)}::bytea[])`.execute(tx);
    return { id, texts, bytes };
  });
}

/** Returns the oldest first. */
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
 * Keeps only the hashes of settled questions, for as long as they prevent repetition. Questions left for good count as
 * sent, since they may have arrived.
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

/** Puts back the questions of a request that was certainly not taken; forgets a request that was never sent. */
export async function releaseQuestions(db: Executor, account: string, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      update sync.question q set write_id = null
      where q.account = ${account} and q.write_id = ${id}::bigint and q.text is not null`.execute(tx);
    await sql`
      delete from sync.write w
      where w.account = ${account} and w.id = ${id}::bigint and w.status = 'planned'`.execute(tx);
    await skipWrite(tx, { account, id });
  });
}

/** True if the service ever took a request of the account. */
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
