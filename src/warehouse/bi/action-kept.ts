// Keeps bi_map.action_status_kept and bi_map.action_expectation_kept: what all versions of an action say
// together. Only actions of which a version changed are read again.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';

export const actionStreams: readonly string[] = ['actions'];

const keys = ['account', 'client_id', 'slice_client_id', 'record_key'];

interface ActionTable {
  readonly table: string;
  readonly live: string;
  readonly columns: readonly string[];
}

const status: ActionTable = {
  table: 'bi_map.action_status_kept',
  live: 'bi_map.action_status_live',
  columns: [...keys, 'id', 'title', 'status', 'previous_status', 'from_date', 'next_date'],
};

const expectation: ActionTable = {
  table: 'bi_map.action_expectation_kept',
  live: 'bi_map.action_expectation_live',
  columns: [
    ...keys,
    'expectation_metric',
    'expectation_from',
    'expectation_to',
    'expectation_frozen',
    'is_changed',
  ],
};

export const actionTables: readonly string[] = [status.table, expectation.table];

/**
 * To be called before the kept table of the actions is brought up to date; what it returns, after it is and
 * its scopes are marked. Before: versions that go away or are reopened; after: those that began or ended.
 */
export async function updateActions(tx: Executor): Promise<() => Promise<void>> {
  await sql`
    create temporary table action_touched (account text, slice_client_id text, record_key text) on commit drop`.execute(
    tx,
  );
  await noteTouched(tx);
  return async () => {
    await noteTouched(tx);
    await sql`
      create temporary table action_again on commit drop as
      select distinct account, slice_client_id, record_key from pg_temp.action_touched`.execute(tx);
    await sql`analyze pg_temp.action_again`.execute(tx);
    for (const one of [status, expectation]) {
      for (const text of [...replaceScopes(one), ...replaceTouched(one)]) await sql.raw(text).execute(tx);
    }
  };
}

async function noteTouched(tx: Executor): Promise<void> {
  await sql`
    insert into pg_temp.action_touched (account, slice_client_id, record_key)
    select t.account, t.slice_client_id, t.record_key
    from pg_temp.kept_scope as s
    join bi_map.actions_kept as t on t.account = s.account and t.slice_client_id = s.client_id
      and t.until >= s.kept_date and (t.from_date >= s.kept_date or t.until < 'infinity')
    where s.stream = 'actions' and s.kept_date > '-infinity'`.execute(tx);
}

/** Of scopes of which nothing was kept: everything, in one sort. */
function replaceScopes({ table, live, columns }: ActionTable): string[] {
  return [
    `delete from ${table} as k using pg_temp.kept_scope as s
     where s.stream = 'actions' and s.kept_date = '-infinity' and k.account = s.account and k.slice_client_id = s.client_id`,
    `insert into ${table} (${columns.join(', ')})
     select ${columns.map((column) => `l.${column}`).join(', ')}
     from pg_temp.kept_scope as s
     cross join lateral (
       select * from ${live} as l where l.account = s.account and l.slice_client_id = s.client_id
       offset 0
     ) as l
     where s.stream = 'actions' and s.kept_date = '-infinity'`,
  ];
}

/** Of the others: actions one by one, through the index on records. */
function replaceTouched({ table, live, columns }: ActionTable): string[] {
  return [
    `delete from ${table} as k using pg_temp.action_again as a
     where k.account = a.account and k.slice_client_id = a.slice_client_id and k.record_key = a.record_key`,
    `insert into ${table} (${columns.join(', ')})
     select ${columns.map((column) => `l.${column}`).join(', ')}
     from pg_temp.action_again as a
     cross join lateral (
       select * from ${live} as l
       where l.account = a.account and l.slice_client_id = a.slice_client_id and l.record_key = a.record_key
       offset 0
     ) as l`,
  ];
}
