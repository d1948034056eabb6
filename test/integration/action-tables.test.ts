// The status history and the expectations of actions are what all versions of the actions say.
import { describe, expect, it } from 'vitest';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const { lines } = database;
/** The rows of all actions as publishing left them. */
const all = async () => [
  await lines('select x::text from bi.action_status_history as x order by 1'),
  await lines('select x::text from bi.actions as x order by 1'),
];

/** As publishing left them, and once more when all of it is read from the versions. */
async function expectAsRebuilt(): Promise<void> {
  const published = await all();
  expect(await rebuildAll(database.db, ['actions'])).toEqual(['actions']);
  expect(await all()).toEqual(published);
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
  await publishRecords(database.db, { stream: 'actions', account: 'agency', runDate, records, ...scope });
}

async function learn(): Promise<void> {
  await refreshViews(database.db);
  await refreshMapping(database.db);
}

const history = (of: string) =>
  lines(
    `select coalesce(from_date::text, '-'), coalesce(until_date::text, '...'), coalesce(previous_status, '-'), status, client_id
     from bi.action_status_history where account = 'agency' and action_id = $1 order by concat_ws(' ', coalesce(from_date::text, '-'), coalesce(until_date::text, '...'), previous_status, status)`,
    of,
  );
const expectations = () =>
  lines(
    `select action_id, client_id, expected_to_value, is_expectation_changed from bi.actions
     where expected_to_value is not null order by 1, 2, 3`,
  );

describe('the history and the expectations of actions', () => {
  it('has a status since when the action says, and since nothing where it was first read so and says nothing', async () => {
    const dated = (id: string, estado: string, actualizado?: string) => ({
      ...action(id, 'Casa', estado),
      actualizado,
    });
    const early = (records: readonly unknown[], runDate: string) =>
      publishRecords(database.db, { stream: 'actions', account: 'early', runDate, records });
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
    expect(
      await lines(
        `select action_id, status, coalesce(from_date::text, '?'), coalesce(until_date::text, '...'), first_run_date
         from bi.action_status_history where account = 'early' order by action_id, first_run_date`,
      ),
    ).toEqual([
      'a hecha 2026-09-17 ... 2026-10-28',
      'b hecha ? 2026-10-31 2026-10-28',
      'b descartada 2026-10-31 2026-11-02 2026-10-31',
      'b hecha 2026-11-02 ... 2026-11-02',
      'c propuesta 2026-10-02 2026-10-29 2026-10-28',
      'c hecha 2026-10-29 2026-11-02 2026-10-31',
    ]);
    await database.pool.query(`delete from snapshot.actions where account = 'early'`);
    await rebuildAll(database.db, ['actions']);
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
    await expectAsRebuilt();

    // a changes, c goes, d has another title, e is new.
    await publishActions('2027-01-02', [
      action('a', 'Casa', 'en_curso', 5),
      action('b', 'Casa', 'propuesta', 7),
      action('d', null, 'propuesta', undefined, 'other'),
      action('e', 'Otro', 'propuesta', 1),
    ]);
    await expectAsRebuilt();
    expect(await history('c')).toEqual(['- 2027-01-02 - hecha Otro']);

    // c is reopened, d is another client's, the client's own slice follows.
    await publishActions('2027-01-04', [
      action('a', 'Casa', 'en_curso', 6),
      action('b', 'Casa', 'hecha', 7),
      action('c', 'Otro', 'propuesta', 2),
      action('d', 'Casa', 'hecha'),
    ]);
    await publishActions('2027-01-04', [action('a', null, 'hecha', 2)], { clientId: 'Casa' });
    await expectAsRebuilt();
    expect(await history('c')).toEqual(['- 2027-01-04 - hecha Otro', '2027-01-04 ... hecha propuesta Otro']);
    expect(await expectations()).toEqual([
      ...['a Casa 1 true', 'a Casa 5 true', 'b Casa 7 false', 'c Otro 2 false'],
    ]);
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
    await expectAsRebuilt();
    // a never changed, b never went, d is back as another client's, f was never there.
    await publishActions('2027-01-05', [
      action('a', 'Casa', 'en_curso', 6),
      action('b', 'Casa', 'hecha', 7),
      action('c', 'Otro', 'en_curso', 9),
      action('d', 'Otro', 'hecha', 4),
    ]);
    await expectAsRebuilt();
    expect(await history('f')).toEqual([]);
    expect(await history('b')).toEqual([
      '- 2027-01-04 - propuesta Casa',
      '2027-01-04 ... propuesta hecha Casa',
    ]);
  });

  it('follow a field that is mapped to another path', async () => {
    await mapField(database.db, parseFieldPlace('actions.status'), 'prioridad');
    await refreshMapping(database.db);
    expect(await history('f')).toEqual([]);
    expect(await history('b')).toContain('2027-01-04 ... p-propuesta p-hecha Casa');
    await expectAsRebuilt();
    await mapField(database.db, parseFieldPlace('actions.status'), 'estado');
    await refreshMapping(database.db);
    await expectAsRebuilt();
    expect(await history('b')).toContain('2027-01-04 ... propuesta hecha Casa');
  });

  it('are read from the tables, and only actions of which a version changed are read again', async () => {
    const records = [action('a', 'Casa', 'en_curso', 6), action('b', 'Casa', 'hecha', 7)];
    await publishActions('2027-01-06', records);
    await publishActions('2027-01-07', records);
    for (const table of ['action_status', 'action_expectation']) {
      await database.pool.query(`update typed.${table} set client_id = 'marked' where slice_client_id = ''`);
    }
    await publishActions('2027-01-08', [action('a', 'Casa', 'hecha', 6), action('b', 'Casa', 'hecha', 7)]);
    const marked = (table: string) =>
      lines(
        `select distinct record_key, client_id = 'marked' from typed.${table} where slice_client_id = '' and record_key < 'd' order by 1`,
      );
    expect(await marked('action_status')).toEqual(['a false', 'b true', 'c true']);
    expect(await marked('action_expectation')).toEqual(['a false', 'b true', 'c true']);
    expect(await history('b')).toContain('2027-01-04 ... propuesta hecha marked');
  });
});
