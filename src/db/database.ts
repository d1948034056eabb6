// The tables as the code sees them. Their types are generated from the schema; column meanings: comments in sql/migrations.
import { Kysely, PostgresDialect, type RawBuilder, type Selectable, sql } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

/**
 * Statements that run for every slice or request are planned once a connection: planning took as long as running them.
 * Only where the text is constant and a row or two is looked up by key, so that one plan fits all values.
 */
const mark = '/* prepared */';

/** Begins a statement that is to be prepared; in a select that is built, by `modifyFront`. */
export const prepared = sql.raw(mark);

/** The same for a text that is not built by Kysely. */
export const preparedText = (text: string): string => `${mark} ${text}`;

/** Texts are few: a statement has one, or one a stream or mapping. */
const names = new Map<string, string>();

/** Where a query is built, the mark comes after its first word. */
const isMarked = (text: string) => text.startsWith(mark) || text.startsWith(`select ${mark}`);

/** Gives a marked statement the name under which pg prepares it; any other goes through as it is. */
export function preparing(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    // Overloads of pg.Client.query take what they are given.
    override query(...args: unknown[]): never {
      const [text, values, ...more] = args;
      const query = super.query as (...given: unknown[]) => never;
      if (typeof text !== 'string' || !isMarked(text)) return query.apply(this, args);
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

/** SQL of a column that holds what a query reads, as a list: one statement reads several tables. */
export function listOf(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(q), '[]') from (${query}) as q)`;
}

/** A row of a table, as a query reads it. */
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

/** The pool as one session of it that is in a transaction: what begins there is a savepoint. */
export function poolOn(pool: pg.Pool, client: pg.ClientBase): pg.Pool {
  const query = (text: string, values: unknown[]) => client.query(savepoints.get(text) ?? text, values);
  const session = { query, release: () => undefined };
  return Object.create(pool, { connect: { value: () => Promise.resolve(session) } });
}

/** Takes back what `work` stores, whatever becomes of it. */
export async function takenBack<Result>(
  pool: pg.Pool,
  work: (db: Executor) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await work(createDatabase(poolOn(pool, client)));
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
  }
}

/** Kysely over a pool; the caller closes the pool. */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
