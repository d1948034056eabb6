// The status history and the expectations of actions are what all versions of the actions say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database.drop();
});

async function texts(query: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ t: string }>(
    `select x::text as t from (${query}) as x order by 1`,
  );
  return rows.map((row) => row.t);
}

/** Computes what the views promise, over all versions at once. */
const historyOfVersions = `
  select account, client_id, coalesce(id, record_key), title, status, lag(status) over w,
    case when lag(from_date) over w is not null then from_date end,
    nullif(coalesce(lead(from_date) over w, last_until), 'infinity')
  from (
    select *, lag(from_date) over p is null or status is distinct from lag(status) over p as is_new,
      max(until) over (partition by account, client_id, slice_client_id, record_key) as last_until
    from bi_map.actions_version
    window p as (partition by account, client_id, slice_client_id, record_key order by from_date)
  ) as v
  where is_new
  window w as (partition by account, client_id, slice_client_id, record_key order by from_date)`;
const expectationsOfVersions = `
  select x.account, x.client_id, coalesce(x.id, x.record_key), x.status, f.first, f.others
  from bi_map.actions as x
  cross join lateral (
    select (array_agg(v.expectation_to order by v.from_date))[1] as first, count(distinct v.expectation::text) > 1 as others
    from bi_map.actions_version as v
    where (v.account, v.client_id, v.slice_client_id, v.record_key) = (x.account, x.client_id, x.slice_client_id, x.record_key)
      and v.expectation is not null
  ) as f`;
const viewed = [
  'select account, client_id, action_id, title, status, previous_status, from_date, until_date from bi.action_status_history',
  'select account, client_id, action_id, status, expected_to_value, is_expectation_changed from bi.actions',
] as const;

async function expectViewsToBeRight(): Promise<void> {
  expect(await texts(viewed[0])).toEqual(await texts(historyOfVersions));
  expect(await texts(viewed[1])).toEqual(await texts(expectationsOfVersions));
}

/** As publishing left them, and once more when all of it is read from the versions. */
async function expectRightAsPublishedAndRebuilt(): Promise<void> {
  await expectViewsToBeRight();
  expect(await rebuildAll(db, ['actions'])).toEqual(['actions']);
  await expectViewsToBeRight();
}

const action = (id: string, cliente: string | null, estado: string, hasta?: number, titulo = id) => ({
  id,
  titulo,
  cliente,
  estado,
  prioridad: `p-${estado}`,
  ...(hasta === undefined ? {} : { expectativa: { hasta } }),
});

async function publishActions(
  runDate: string,
  records: readonly unknown[],
  scope: object = {},
): Promise<void> {
  await publishRecords(db, { stream: 'actions', account: 'agency', runDate, records, ...scope });
}

async function learn(): Promise<void> {
  await refreshViews(db);
  await refreshMapping(db);
}

const history = async (of: string) =>
  (
    await database.pool.query<{ row: string }>(
      `select concat_ws(' ', coalesce(from_date::text, '-'), coalesce(until_date::text, '...'), coalesce(previous_status, '-'), status, client_id) as row
       from bi.action_status_history where account = 'agency' and action_id = $1 order by 1`,
      [of],
    )
  ).rows.map(({ row }) => row);

describe('the history and the expectations of actions', () => {
  it('has a status since when the action says, and since nothing where it was first read so and says nothing', async () => {
    const dated = (id: string, estado: string, actualizado?: string) => ({
      ...action(id, 'Casa', estado),
      actualizado,
    });
    const early = (records: readonly unknown[], runDate: string) =>
      publishRecords(db, { stream: 'actions', account: 'early', runDate, records });
    await early(
      [dated('a', 'hecha', '2026-09-17'), dated('b', 'hecha'), dated('c', 'propuesta', '2026-10-02')],
      '2026-10-28',
    );
    await learn();
    await early(
      [dated('a', 'hecha', '2026-10-30'), dated('b', 'descartada'), dated('c', 'hecha', '2026-10-29')],
      '2026-10-31',
    );
    // Said to be older than what was read before: then the date on which it was read counts.
    await early([dated('a', 'hecha', '2026-10-30'), dated('b', 'hecha', '2026-01-01')], '2026-11-02');
    const { rows } = await database.pool.query<{ row: string }>(
      `select concat_ws(' ', action_id, status, coalesce(from_date::text, '?'), coalesce(until_date::text, '...'), first_run_date) as row
       from bi.action_status_history where account = 'early' order by action_id, first_run_date`,
    );
    expect(rows.map(({ row }) => row)).toEqual([
      'a hecha 2026-09-17 ... 2026-10-28',
      'b hecha ? 2026-10-31 2026-10-28',
      'b descartada 2026-10-31 2026-11-02 2026-10-31',
      'b hecha 2026-11-02 ... 2026-11-02',
      'c propuesta 2026-10-02 2026-10-29 2026-10-28',
      'c hecha 2026-10-29 2026-11-02 2026-10-31',
    ]);
    await database.pool.query(`delete from snapshot.actions where account = 'early'`);
    await rebuildAll(db, ['actions']);
  });

  it('are those of the versions, day by day', async () => {
    await publishActions('2027-01-01', [
      action('a', 'Casa', 'propuesta', 5),
      action('b', 'Casa', 'propuesta', 7),
      action('c', 'Otro', 'hecha'),
      action('d', null, 'propuesta'),
    ]);
    await publishActions('2027-01-01', [action('a', null, 'propuesta', 1)], { clientId: 'Casa' });
    await learn();
    await expectRightAsPublishedAndRebuilt();

    // a changes, c goes, d has another title, e is new.
    await publishActions('2027-01-02', [
      action('a', 'Casa', 'en_curso', 5),
      action('b', 'Casa', 'propuesta', 7),
      action('d', null, 'propuesta', undefined, 'other'),
      action('e', 'Otro', 'propuesta', 1),
    ]);
    await expectRightAsPublishedAndRebuilt();
    expect(await history('c')).toEqual(['- 2027-01-02 - hecha Otro']);

    // c is reopened, d is another client's, the client's own slice follows.
    await publishActions('2027-01-04', [
      action('a', 'Casa', 'en_curso', 6),
      action('b', 'Casa', 'hecha', 7),
      action('c', 'Otro', 'propuesta', 2),
      action('d', 'Casa', 'hecha'),
    ]);
    await publishActions('2027-01-04', [action('a', null, 'hecha', 2)], { clientId: 'Casa' });
    await expectRightAsPublishedAndRebuilt();
    expect(await history('c')).toEqual(['- 2027-01-04 - hecha Otro', '2027-01-04 ... hecha propuesta Otro']);
    expect(await history('d')).toEqual(['- ... - hecha Casa', '- 2027-01-04 - propuesta ']);
    expect(await history('a')).toEqual([
      '- 2027-01-02 - propuesta Casa',
      '- 2027-01-04 - propuesta Casa',
      '2027-01-02 ... propuesta en_curso Casa',
      '2027-01-04 ... propuesta hecha Casa',
    ]);
  });

  it('follow a run date that is published again with other content', async () => {
    await publishActions('2027-01-05', [
      action('a', 'Casa', 'hecha', 6),
      action('c', 'Otro', 'propuesta', 2),
      action('f', 'Otro', 'propuesta', 3),
    ]);
    await expectRightAsPublishedAndRebuilt();
    // a never changed, b never went, d is back as another client's, f was never there.
    await publishActions('2027-01-05', [
      action('a', 'Casa', 'en_curso', 6),
      action('b', 'Casa', 'hecha', 7),
      action('c', 'Otro', 'en_curso', 9),
      action('d', 'Otro', 'hecha', 4),
    ]);
    await expectRightAsPublishedAndRebuilt();
    expect(await history('f')).toEqual([]);
    expect(await history('b')).toEqual([
      '- 2027-01-04 - propuesta Casa',
      '2027-01-04 ... propuesta hecha Casa',
    ]);
  });

  it('follow a field that is mapped to another path', async () => {
    await mapField(db, parseFieldPlace('actions.status'), 'prioridad');
    await refreshMapping(db);
    expect(await history('f')).toEqual([]);
    expect(await history('b')).toContain('2027-01-04 ... p-propuesta p-hecha Casa');
    await expectRightAsPublishedAndRebuilt();
    await mapField(db, parseFieldPlace('actions.status'), 'estado');
    await refreshMapping(db);
    await expectRightAsPublishedAndRebuilt();
    expect(await history('b')).toContain('2027-01-04 ... propuesta hecha Casa');
  });

  it('lose actions that are no longer there when all of it is read once more', async () => {
    await database.pool.query(`delete from snapshot.actions where account = 'agency' and record_key = 'c'`);
    await rebuildAll(db, ['actions']);
    await expectViewsToBeRight();
    expect(await history('c')).toEqual([]);
  });

  it('are read from the tables, and only actions of which a version changed are read again', async () => {
    const records = [action('a', 'Casa', 'en_curso', 6), action('b', 'Casa', 'hecha', 7)];
    await publishActions('2027-01-06', records);
    await publishActions('2027-01-07', records);
    for (const table of ['action_status', 'action_expectation']) {
      await database.pool.query(`update typed.${table} set client_id = 'marked' where slice_client_id = ''`);
    }
    await publishActions('2027-01-08', [action('a', 'Casa', 'hecha', 6), action('b', 'Casa', 'hecha', 7)]);
    const marked = async (table: string) =>
      await texts(
        `select distinct record_key, client_id = 'marked' from typed.${table} where slice_client_id = '' and record_key < 'd'`,
      );
    expect(await marked('action_status')).toEqual(['(a,f)', '(b,t)']);
    expect(await marked('action_expectation')).toEqual(['(a,f)', '(b,t)']);
    expect(await history('b')).toContain('2027-01-04 ... propuesta hecha marked');
  });
});
