// Makes each step of a write last a while in the database, so that a death meets every one of them, and so that a
// statement may be carried out for a client that is dead.
import type pg from 'pg';

/** Lets sent writes take no place in the limits of an hour and a day. */
export async function withoutWriteLimits(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create or replace function public.forget_use() returns trigger language plpgsql as $$ begin return null; end $$;
    create or replace trigger forget_use before insert on sync.budget_write
      for each row execute function public.forget_use()`);
}

export async function slowBook(pool: pg.Pool, tables: readonly string[], mostMs: number): Promise<void> {
  await withoutWriteLimits(pool);
  await pool.query(`
    create or replace function public.dawdle() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(random() * ${mostMs / 1000});
      return new;
    end
    $$`);
  for (const table of tables) {
    await pool.query(
      `create or replace trigger dawdle before insert or update on sync.${table} for each row execute function public.dawdle()`,
    );
  }
}
