// A publication of all tables, as change data capture makes one, refuses to change a row that nothing tells apart.
import { expect, test } from 'vitest';
import { forgetClient } from '../../src/forget/forget-client.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({
    from: '2026-03-02',
    days: 2,
    onDate: async ({ pool }) => {
      const { rows } = await pool.query(`select from pg_publication`);
      if (rows.length === 0) await pool.query('create publication cdc for all tables');
    },
  }),
);

test('the run date after it is published whole', async () => {
  expect(await database.lines('select distinct status, error from sync.slice')).toEqual(['complete -']);
});

test('every table that changes tells its rows apart', async () => {
  expect(
    await database.rows(`
    select c.oid::regclass::text as name from pg_class as c
    where c.relkind in ('r', 'p') and c.relpersistence <> 't' and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      and case c.relreplident when 'd' then not exists (select from pg_index as i where i.indrelid = c.oid and i.indisprimary)
        else c.relreplident = 'n' end`),
  ).toEqual([]);
});

test('a client is forgotten', async () => {
  const [clientId = ''] = await database.lines(
    'select client_id from bi.clients where not is_account limit 1',
  );
  const who = { account: 'default', clientId, names: [], isText: false };
  const sleep = async () => undefined;
  const forgotten = await forgetClient(database.pool, database.db, { ...who, sleep });
  expect(Object.keys(forgotten.counts)).not.toEqual([]);
  expect(await database.rows('select from typed.rank_point where client_id = $1', clientId)).toEqual([]);
});
