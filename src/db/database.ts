// The tables as the code sees them. Types are generated from the schema; sql/migrations says what the columns mean.
import type { Writable } from 'node:stream';
import { Kysely, PostgresDialect, type RawBuilder, type Selectable, sql } from 'kysely';
import type pg from 'pg';
import { codeOf } from './sqlstate.ts';
import type { Tables } from './tables.ts';

/**
 * Marks a statement that runs for every slice or request: it is planned once per connection, because planning took as
 * long as running it. Only for a constant text that looks up a row or two by key, so that one plan fits all values.
 */
const mark = '/* prepared */';

/** Begins a statement that is to be prepared; in a select that is built, by `modifyFront`. */
export const prepared = sql.raw(mark);

/** Does the same for a text that is not built by Kysely. */
export const preparedText = (text: string): string => `${mark} ${text}`;

const aheadMark = '/* ahead */';

/**
 * Ends a statement of a transaction whose answer nobody reads. Like `begin`, it is sent together with the next
 * statement, and an error in it fails that one. Has no effect outside of a transaction.
 */
export const ahead = sql.raw(aheadMark);

/** Does the same for a text that is not built by Kysely. */
export const aheadText = (text: string): string => `${text} ${aheadMark}`;

/** A statement has one text, or one for each stream or mapping, so the map stays small. */
const names = new Map<string, string>();

/** A query built by Kysely has the mark after its first word. */
const isMarked = (text: string) => text.startsWith(mark) || text.startsWith(`select ${mark}`);

const isAhead = (text: unknown) => typeof text === 'string' && text.endsWith(aheadMark);

/**
 * Prepares marked statements under a name, and sends ahead those that may be; others pass unchanged. After a failed
 * statement a transaction can only be rolled back, so whatever was sent after it does nothing.
 */
export function preparing(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    /** Unread answers of this transaction; undefined: there is no transaction. */
    #unread: Promise<unknown>[] | undefined;

    // Passes on the arguments of pg.Client.query, which has many overloads.
    override query(...args: unknown[]): never {
      const [text] = args;
      const session = this as unknown as Pipelining;
      // pg.Pool passes a callback, and then no promise is returned.
      const isCalledBack = args.some((arg) => typeof arg === 'function');
      if (text === 'begin' && !session.pipeline && !isCalledBack) this.#unread = [];
      const unread = this.#unread;
      if (unread === undefined || isCalledBack) return this.#ask(args);
      if (text === 'begin' || isAhead(text)) {
        if (unread.length === 0) session.connection.stream.cork();
        session.pipeline = true;
        const answer: Promise<unknown> = this.#ask(args);
        answer.catch(() => undefined);
        unread.push(answer);
        return Promise.resolve({ rows: [] }) as never;
      }
      this.#unread = text === 'commit' || text === 'rollback' ? undefined : [];
      const answer: Promise<unknown> = this.#ask(args);
      if (unread.length === 0) return answer as never;
      session.connection.stream.uncork();
      return Promise.allSettled([...unread, answer]).then((answers) => {
        session.pipeline = false;
        const isTakenBack = typeof text === 'string' && text.startsWith('rollback');
        const failed = isTakenBack ? undefined : answers.find(({ status }) => status === 'rejected');
        return failed?.status === 'rejected' ? Promise.reject(failed.reason) : answer;
      }) as never;
    }

    #ask(args: readonly unknown[]): never {
      const [text, values, ...more] = args;
      const query = super.query as (...given: unknown[]) => never;
      if (typeof text !== 'string' || !isMarked(text)) return query.apply(this, [...args]);
      const name = names.get(text) ?? `airank_${names.size + 1}`;
      names.set(text, name);
      return query.apply(this, [{ name, text, values }, ...more]);
    }
  };
}

/** For `.where(column, '=', anyOf(values))`. */
export function anyOf(values: readonly string[]): RawBuilder<string> {
  return sql`any(${values}::text[])`;
}

/** SQL: the rows of a query as one list, so that one statement reads several tables. */
export function listOf(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(q), '[]') from (${query}) as q)`;
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type SliceStatus = Row<'sync.slice'>['status'];
export type RunStatus = Row<'sync.run'>['status'];
export type WalkKind = Row<'sync.slice'>['walk'];

export type Database = Tables;

/** A connection or a transaction on it. */
export type Executor = Kysely<Database>;

const savepoints = new Map([
  ['begin', 'savepoint nested'],
  ['commit', 'release savepoint nested'],
  ['rollback', 'rollback to savepoint nested; release savepoint nested'],
]);

/**
 * Makes one session, which is in a transaction, look like a pool that is asked one by one: a `begin` there is
 * a savepoint.
 */
export function poolOn(pool: pg.Pool, client: pg.ClientBase): pg.Pool {
  let before: Promise<unknown> = Promise.resolve();
  return poolOf(pool, (text, values) => {
    const answer = before.then(() =>
      client.query(savepoints.get(String(text)) ?? String(text), values as unknown[]),
    );
    before = answer.catch(() => undefined);
    return answer;
  });
}

const sessions = new WeakSet<pg.Pool>();

function poolOf(pool: pg.Pool, query: (...asked: unknown[]) => unknown): pg.Pool {
  const session = { query, release: () => undefined };
  const one = Object.create(pool, {
    connect: { value: () => Promise.resolve(session) },
    query: { value: query },
  });
  sessions.add(one);
  return one;
}

/** Parts of pg 8 that its types lack. */
interface Pipelining {
  pipeline: boolean;
  readonly connection: { readonly stream: Writable };
}

/**
 * Gives `work` the pool as one session that sends each statement without waiting for earlier answers, so that
 * a distant server needs one trip for statements asked together. Each statement fails alone and has the time
 * limit of the session. A transaction must be asked in one go, or it would hold statements of others.
 */
export async function pipelined<Result>(
  pool: pg.Pool,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  if (sessions.has(pool)) return await work(pool);
  const client = (await pool.connect()) as pg.PoolClient & Pipelining;
  const { stream } = client.connection;
  const answers: Promise<unknown>[] = [];
  let isOver = false;
  const query = (...asked: unknown[]) => {
    if (isOver) return Promise.reject(new Error('asked of a session that was given back'));
    // Statements that are asked together are sent together.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const answer = (client.query as (...given: unknown[]) => Promise<unknown>)(...asked);
    answers.push(answer.catch(() => undefined));
    return answer;
  };
  client.pipeline = true;
  try {
    return await work(poolOf(pool, query));
  } finally {
    isOver = true;
    await Promise.all(answers);
    client.pipeline = false;
    client.release();
  }
}

/** Does the same for a database. One that is in a transaction already is asked one by one. */
export async function atOnce<Result>(db: Executor, work: (db: Executor) => Promise<Result>): Promise<Result> {
  const pool = pools.get(db);
  return pool === undefined ? await work(db) : await pipelined(pool, (one) => work(createDatabase(one)));
}

/**
 * Reads the rows of each query within a time of its own; undefined: it took longer. For databases whose
 * sessions have no limit. All queries are asked in one go, so that nothing else comes in between.
 */
export async function eachWithin<One>(
  db: Executor,
  ms: number,
  queries: readonly RawBuilder<One>[],
): Promise<readonly (readonly One[] | undefined)[]> {
  const rowsOf = async (query: RawBuilder<One>, session: Executor) => {
    try {
      return (await query.execute(session)).rows;
    } catch (error) {
      // query_canceled
      if (codeOf(error) === '57014') return undefined;
      throw error;
    }
  };
  return await atOnce(db, async (session) => {
    // Many short questions: compiling them costs more than it saves.
    const begun = sql`select set_config('statement_timeout', ${String(ms)}, false), set_config('jit', 'off', false)`;
    const [, found] = await Promise.all([
      begun.execute(session),
      Promise.all(queries.map((query) => rowsOf(query, session))),
      sql`set statement_timeout = 0`.execute(session),
      sql`reset jit`.execute(session),
    ]);
    return found;
  });
}

/** The pool that each database has its sessions from. */
const pools = new WeakMap<Executor, pg.Pool>();

/** Kysely over a pool; the caller closes the pool. */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}
