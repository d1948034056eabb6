// sync.question: what was given to be sent. A text stays until the service has accepted it, then only its hash does.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** Within so many days the same question is not sent again without being asked to. A rule of our own. */
export const repeatDays = 90;

export interface HashedQuestion {
  readonly hash: Buffer;
  readonly text: string;
}

/** Why a question is not taken: it waits already, its request is not settled, or it was sent within `repeatDays`. */
export type KnownAs = 'waits' | 'unsettled' | 'sent';

export type KnownCounts = Readonly<Record<KnownAs, number>>;

export interface TakenQuestions extends KnownCounts {
  readonly taken: number;
}

const isRecent = sql<boolean>`coalesce(q.sent_at > now() - make_interval(days => ${repeatDays}::integer), false)`;

/** What would become of them, and nothing is changed. */
export async function countKnown(
  db: Executor,
  account: string,
  questions: readonly HashedQuestion[],
  { repeat }: { readonly repeat: boolean },
): Promise<TakenQuestions> {
  const { rows } = await sql<{ known: KnownAs; questions: number }>`
    select known, count(*)::integer as questions from (
      select case when q.text is not null and q.write_id is null then 'waits'
        when q.text is not null then 'unsettled' when ${isRecent} then 'sent' end as known
      from sync.question q
      where q.account = ${account} and q.hash = any(${hashesOf(questions)})
    ) as found where known is not null group by known`.execute(db);
  const counted = (one: KnownAs) => rows.find(({ known }) => known === one)?.questions ?? 0;
  const sent = repeat ? 0 : counted('sent');
  const waits = counted('waits');
  const unsettled = counted('unsettled');
  return { taken: questions.length - sent - waits - unsettled, sent, waits, unsettled };
}

/**
 * From here on they wait, in the order in which they were given.
 * @param repeat also what was sent within `repeatDays`
 */
export async function takeQuestions(
  db: Executor,
  account: string,
  questions: readonly HashedQuestion[],
  { repeat }: { readonly repeat: boolean },
): Promise<TakenQuestions> {
  return await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    const known = await countKnown(tx, account, questions, { repeat });
    const { rows } = await sql`
      insert into sync.question as q (account, hash, text, planned_at)
      select ${account}, n.hash, n.text, now() + n.place * interval '1 microsecond'
      from unnest(${hashesOf(questions)}, ${questions.map(({ text }) => text)}::text[])
        with ordinality as n (hash, text, place)
      on conflict (account, hash) do update set text = excluded.text, write_id = null, planned_at = excluded.planned_at
      where q.text is null and (${repeat}::boolean or not ${isRecent})
      returning 1`.execute(tx);
    return { ...known, taken: rows.length };
  });
}

/** Those that belong to no request yet. */
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

/** What waits is not sent any more; what was sent before stays known by its hash. */
export async function dropWaiting(db: Executor, account: string): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx);
    const waits = sql`q.account = ${account} and q.text is not null and q.write_id is null`;
    const gone = await sql`delete from sync.question q where ${waits} and q.sent_at is null`.execute(tx);
    const emptied = await sql`update sync.question q set text = null where ${waits}`.execute(tx);
    return Number(gone.numAffectedRows ?? 0) + Number(emptied.numAffectedRows ?? 0);
  });
}

function hashesOf(questions: readonly HashedQuestion[]): RawBuilder<unknown> {
  return sql`${questions.map(({ hash }) => hash)}::bytea[]`;
}
