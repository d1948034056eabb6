// A warehouse that was moved elsewhere takes no sync any more. The server itself refuses one, whatever release or
// running scheduler asks, so that two warehouses never go on side by side. What only reads still works.
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { WarehouseError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';

export interface Moved {
  readonly to: string;
  readonly at: Date;
}

/** Undefined: it is open. */
export async function readMoved(db: Executor): Promise<Moved | undefined> {
  const known = await sql<{ is_there: boolean }>`
    select to_regclass('sync.moved') is not null as is_there`.execute(db);
  if (known.rows[0]?.is_there !== true) return undefined;
  return (await sql<Moved>`select moved_to as to, moved_at as at from sync.moved`.execute(db)).rows[0];
}

/** @throws WarehouseError where it was moved */
export async function refuseMoved(db: Executor): Promise<void> {
  const moved = await readMoved(db);
  if (moved !== undefined) throw new WarehouseError(movedText(moved));
}

export function movedText({ to, at }: Moved): string {
  return (
    `This warehouse was moved to ${to} on ${at.toISOString().slice(0, 10)} and takes no sync any more. ` +
    'Set DATABASE_URL to that one; airank move --reopen opens this one again'
  );
}

/**
 * Pruning, renaming, forgetting and sending begin no batch. Where one waited for the move, it would change this side alone and
 * tell of it as done; each writes some of these before.
 */
const ofOthers = [
  'delete or update of account, completed_at on sync.slice',
  'insert or update or delete on sync.forgotten',
  'insert on sync.forget_key',
  // What is sent from here on the other side would send again.
  'insert or update of status on sync.write',
  'insert on sync.question',
  'delete on sync.crawler_visit',
];

/** @param client in a transaction. @param to without user and password */
export async function closeMoved(client: pg.ClientBase, to: string): Promise<void> {
  await client.query(`
    create table sync.moved (
      is_only boolean primary key default true constraint moved_only_one check (is_only),
      moved_to text not null,
      moved_at timestamptz not null default now()
    );
    comment on table sync.moved is 'Where this warehouse was moved to. airank move --reopen drops it.';
    create function sync.refuse_moved() returns trigger language plpgsql as $$
    begin
      raise exception 'This warehouse was moved to % and takes no sync any more', (select moved_to from sync.moved)
        using errcode = 'AR001', hint = 'airank move --reopen opens it again';
    end $$;
    create trigger refuse_moved before insert or update on sync.batch
      for each statement execute function sync.refuse_moved()`);
  for (const writes of ofOthers) {
    await client.query(
      `create trigger refuse_moved before ${writes} for each row execute function sync.refuse_moved()`,
    );
  }
  await client.query('insert into sync.moved (moved_to) values ($1)', [to]);
}

/** Undefined: it was open. */
export async function reopenMoved(db: Executor): Promise<Moved | undefined> {
  return await db.transaction().execute(async (tx) => {
    const moved = await readMoved(tx);
    if (moved === undefined) return undefined;
    await reopening.execute(tx);
    return moved;
  });
}

const reopening: RawBuilder<unknown> = sql.raw(
  'drop function sync.refuse_moved() cascade; drop table sync.moved',
);
