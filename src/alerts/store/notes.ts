// sync.note: notes of people on a day of a client or of the account; and the clients that may be named.
import { sql } from 'kysely';
import type { NamedClient } from '../../config/names.ts';
import type { Executor } from '../../db/database.ts';

/** Lists who may be named by --client: present and former clients, and the accounts themselves. */
export async function readClientNames(db: Executor): Promise<readonly NamedClient[]> {
  const { rows } = await sql<NamedClient>`
    select account, client_id as "clientId", coalesce(client_name, client_id) as name
    from bi.clients order by account, client_id`.execute(db);
  return rows;
}

export interface Note {
  readonly id: number;
  readonly account: string;
  /** '': the account itself. */
  readonly clientId: string;
  readonly date: string;
  readonly text: string;
}

type NewNote = Omit<Note, 'id'>;

/** @returns its number */
export async function addNote(db: Executor, note: NewNote): Promise<number> {
  const { id } = await db
    .insertInto('sync.note')
    .values({ account: note.account, client_id: note.clientId, note_date: note.date, text: note.text })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The newest first. */
export async function listNotes(db: Executor, account?: string): Promise<Note[]> {
  const notes = db
    .selectFrom('sync.note')
    .select(['id', 'account', 'client_id as clientId', 'note_date as date', 'text'])
    .orderBy('note_date', 'desc')
    .orderBy('id', 'desc');
  return await (account === undefined ? notes : notes.where('account', '=', account)).execute();
}

/** False: there is no such note. */
export async function removeNote(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sync.note').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
