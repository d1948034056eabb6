// Clients that leave the list of clients, stay away and come back, as the curated views show them.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { readFreshness, readStreamStatus } from '../../src/status/status-report.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const day = (place: number) => `2026-03-${String(place).padStart(2, '0')}`;
const perClient = ['airank', 'visibility_history', 'products'];
const events = ['mediciones', 'respuestas', 'triggers', 'agent_runs', 'agent_memory'];
const both = ['c1', 'c2'];
const names: Record<string, string> = { c1: 'Uno', c2: 'Dos' };

async function publishList(place: number, clients: readonly string[], more: object = {}): Promise<void> {
  const records = clients.map((id) => ({ id, nombre: names[id], pais: 'ES', ...more }));
  await publishRecords(database.db, { stream: 'clientes', runDate: day(place), records });
}

async function publishClient(place: number, clientId: string): Promise<void> {
  const publish = (stream: string, records: readonly object[], more = {}) =>
    publishRecords(database.db, { stream, clientId, runDate: day(place), records, ...more });
  const point = { metodo: 'v2', comparable: true, puntuacion: 40 + place };
  await publish('airank', [{ ...point, fecha: day(place) }], { key: [] });
  await publish('visibility_history', [
    { id: 'h1', ...point, puntuacion: 30, fecha: '2026-02-20' },
    { id: 'h2', ...point, puntuacion: 31, fecha: '2026-02-27' },
  ]);
  await publish('products', [
    { id: 'p1', nombre: 'Mesa', presencia: 0.5 },
    { id: 'p2', nombre: 'Silla', presencia: place / 10 },
  ]);
}

/** Publishes what a run makes of the slices of a client that left: complete ones without records. */
async function publishLeft(place: number, clientId: string): Promise<void> {
  for (const stream of perClient) {
    const key = stream === 'airank' ? [] : [['id']];
    await publishRecords(database.db, { stream, clientId, runDate: day(place), records: [], key });
  }
  await database.pool.query(
    `update sync.slice set walk = 'left' where client_id = $1 and run_date = $2 and stream = any($3)`,
    [clientId, day(place), perClient],
  );
}

/**
 * Lists that are asked for once for the account. The API goes on giving what it knows of those that left, and of
 * c2 something new each day; only its cited pages go with it.
 */
async function publishAccount(place: number, present: readonly string[]): Promise<void> {
  const runDate = day(place);
  const of = (clients: readonly string[], record: object) =>
    clients.map((cliente) => ({ id: `${cliente}-1`, cliente, ...record }));
  const stream = async (name: string, records: readonly object[], rest = {}) =>
    await publishRecords(database.db, { stream: name, runDate, records, rest });
  await stream('actions', of(both, { titulo: 'Do', estado: place < 4 ? 'nueva' : 'hecha' }));
  const on = (date: number) => ({ fecha: day(date), inicio: `${day(date)}T08:00:00Z` });
  const alert = { cliente: 'c2', competidor: 'Rival', mensaje: 'Up' };
  await stream('competitors', of(both, { nombre: 'Rival', por_100: place }), {
    alertas: [
      { ...alert, fecha: day(1) },
      { ...alert, fecha: day(place) },
    ],
  });
  await stream('citations', of(present, { url: 'https://x.test', citas: place }));
  await stream('optimizer', of(both, { url: 'https://x.test', estado: 'approved' }));
  for (const name of events) {
    await stream(name, [
      ...of(both, { ...on(1), estado: 'ok', decision: 'WAIT' }),
      { id: `c2-of-${place}`, cliente: 'c2', ...on(place), estado: 'ok', decision: 'ACT' },
    ]);
  }
}

const { lines } = database;

const views = catalogue().flatMap(({ view, columns }) =>
  columns.some(({ name }) => name === 'client_name') ? [view] : [],
);

async function expectNames(): Promise<void> {
  const nameless = views.map((view) => `select '${view}' from ${view} where client_name is null`);
  expect(await lines(nameless.join(' union all '))).toEqual([]);
}

/** Every row of every view. */
async function everything(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const view of views) all[view] = await lines(`select x::text from ${view} as x order by 1`);
  return all;
}

const current = [
  ...['rank_latest', 'actions', 'optimizer_versions', 'products', 'share_of_voice'].map(
    (view) => `bi.${view}`,
  ),
  ...['products', 'share_of_voice'].map((view) => `bi_history.${view} where is_latest`),
];
/** The clients that these show as they are now. */
const shownNow = async () => {
  const found = await Promise.all(
    current.map((of) => lines(`select client_id from ${of} group by 1 having client_id <> '' order by 1`)),
  );
  return [...new Set(found.map((ids) => ids.join()))];
};
const list = () =>
  lines(
    'select client_id, client_name, client_country, joined_on, left_on from bi.clients where not is_account order by 1',
  );
/** Days of c2. */
const productDays = () =>
  lines(`select run_date, count(*) from bi_history.products where client_id = 'c2' group by 1 order by 1`);
const trend = () =>
  lines(`select date, score::int, source from bi.rank_trend where client_id = 'c2' order by date`);
const shareDays = () =>
  lines(`select run_date from bi_history.share_of_voice where client_id = 'c2' order by 1`);

beforeAll(async () => {
  await database.pool.query('alter table sync.slice drop constraint slice_walk_known');
  for (const place of [1, 2]) {
    await publishList(place, ['c1', 'c2']);
    for (const client of ['c1', 'c2']) await publishClient(place, client);
    await publishAccount(place, both);
  }
  await refreshViews(database.db);
  await refreshMapping(database.db);
});

const history = [
  '2026-02-20 30 visibility_history',
  '2026-02-27 31 visibility_history',
  `${day(1)} 41 airank`,
  `${day(2)} 42 airank`,
];
const byEvent = [
  ['measurements', 'measured_date'],
  ['answers', 'answered_date'],
  ['triggers_fired', 'fired_date'],
  ['agent_runs', 'started_at::date'],
  ['agent_decisions', 'decided_date'],
] as const;

// Nothing is to be found that a publish did not store.
afterEach(async () => expect(await lines('select sync.refresh_clients(null)')).toEqual(['0']));

// One story: each step goes on where the one before ended.
describe('a client', () => {
  it('is there, as everybody is', async () => {
    expect(await list()).toEqual([`c1 Uno ES ${day(1)} -`, `c2 Dos ES ${day(1)} -`]);
    expect(await shownNow()).toEqual(['c1,c2']);
  });

  it('that is no longer in the list is current nowhere at once, and its history stays under its name', async () => {
    await publishList(3, ['c1']);
    expect(await list()).toEqual([`c1 Uno ES ${day(1)} -`, `c2 Dos ES ${day(1)} ${day(3)}`]);
    expect(await shownNow()).toEqual(['c1']);
    expect(await trend()).toEqual(history);
    await publishLeft(3, 'c2');
    await publishClient(3, 'c1');
    await publishAccount(3, ['c1']);
    await expectNames();
    expect(await shownNow()).toEqual(['c1']);
    expect(await productDays()).toEqual([`${day(1)} 2`, `${day(2)} 2`]);
    expect(await shareDays()).toEqual([day(1), day(2)]);
    expect(await trend()).toEqual(history);
  });

  it('that stays away has nothing of the dates after it left, also where the account goes on giving it', async () => {
    await publishList(4, ['c1'], { pais: 'FR' });
    await publishClient(4, 'c1');
    await publishAccount(4, ['c1']);
    expect(await list()).toEqual([`c1 Uno FR ${day(1)} -`, `c2 Dos ES ${day(1)} ${day(3)}`]);
    expect(await trend()).toEqual(history);
    expect(await shareDays()).toEqual([day(1), day(2)]);
    expect(await productDays()).toHaveLength(2);
    for (const [view, date] of byEvent)
      expect(await lines(`select distinct ${date} from bi.${view} where client_id = 'c2'`), view).toEqual([
        day(1),
      ]);
    expect(await lines('select alert_date, last_run_date from bi.competitor_alerts order by 1')).toEqual([
      `${day(1)} ${day(2)}`,
      `${day(2)} ${day(2)}`,
    ]);
    expect(
      await lines(
        `select status, from_date, until_date from bi.action_status_history where client_id = 'c2'`,
      ),
    ).toEqual([`nueva - ${day(3)}`]);
    expect(
      await lines(`select stream from bi.freshness where client_id = 'c2' and client_left_on is null`),
    ).toEqual([]);
  });

  it('that is back has new versions, and the gap stays one; it neither loses nor gains pages by that', async () => {
    names.c2 = 'Dos de vuelta';
    await publishList(5, ['c1', 'c2']);
    // Its history is read again later in the run: until then it is as it was.
    const records = [{ metodo: 'v2', comparable: true, puntuacion: 45, fecha: day(5) }];
    const back = { stream: 'airank', clientId: 'c2', runDate: day(5), key: [] };
    await publishRecords(database.db, { ...back, records });
    expect(await trend()).toEqual([...history, `${day(5)} 45 airank`]);
    await publishClient(5, 'c1');
    await publishClient(5, 'c2');
    await publishAccount(5, both);
    await expectNames();
    const before = await everything();
    await rebuildAll(database.db);
    expect(await everything()).toEqual(before);
    expect(await list()).toEqual([`c1 Uno ES ${day(1)} -`, `c2 Dos de vuelta ES ${day(1)} -`]);
    expect(await shownNow()).toEqual(['c1,c2']);
    expect(await productDays()).toEqual([1, 2, 5].map((place) => `${day(place)} 2`));
    expect(await shareDays()).toEqual([1, 2, 5].map(day));
    expect(await trend()).toEqual([...history, `${day(5)} 45 airank`]);
    expect(await lines(`select from bi.citation_changes where client_id = 'c2'`)).toEqual([]);
  });
});

it('every curated view says of each row with a client whether it may be of one that left', async () => {
  const views = await database.rows<{ view: string; text: string; is_latest: boolean }>(
    `select c.relnamespace::regnamespace || '.' || c.relname as view, pg_get_viewdef(c.oid) as text, exists (
       select from pg_attribute where attrelid = c.oid and attname = 'is_latest'
     ) as is_latest from pg_class as c where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v' order by 1`,
  );
  const undecided = views.filter(({ text }) => !/\b(left_on|absence)\b/.test(text));
  // None has rows of a client.
  expect(undecided.map(({ view }) => view)).toEqual([
    ...['bi.crawler_visits', 'ops.field_catalog', 'ops.request_budget', 'ops.write_log'],
  ]);
  // Rows by date stay in the history: each view judges by a row's own run date whether its client was absent.
  const byDate = views.filter(
    ({ view, is_latest }) => is_latest && view.startsWith('bi_history.') && view !== 'bi_history.freshness',
  );
  expect(byDate.length).toBeGreaterThan(14);
  expect(byDate.filter(({ text }) => !/\babsence @> x\.run_date\b/.test(text))).toEqual([]);
});

it('how fresh the data is, a client that left does not tell, and when all did, nothing is missing', async () => {
  const publish = async (place: number, clientId: string, records: readonly object[] = [{ id: 'p1' }]) => {
    const slice = { stream: 'products', account: 'other', clientId, runDate: day(place) };
    await publishRecords(database.db, { ...slice, records });
  };
  const leave = async (place: number, clientId: string) => {
    await publish(place, clientId, []);
    const left = `update sync.slice set walk = 'left' where account = 'other' and client_id = $1 and run_date = $2`;
    await database.rows(left, clientId, day(place));
  };
  /** Run dates of the newest slice that is told, and whether the stream ended. */
  const told = async () => {
    const dates = await lines(
      `select run_date from sync.slice where account = 'other' and date_trunc('milliseconds', completed_at) = any($1)`,
      (await readFreshness(database.db, ['other'], ['products'])).map(({ completedAt }) => completedAt),
    );
    const status = await readStreamStatus(database.db);
    return [dates.join(), status.find(({ account }) => account === 'other')?.ended];
  };
  for (const client of both) await publish(1, client);
  await leave(2, 'c1');
  await publish(3, 'c2');
  expect(await told()).toEqual([day(3), false]);
  await leave(4, 'c2');
  expect(await told()).toEqual(['', true]);
  await publish(5, 'c1');
  expect(await told()).toEqual([day(5), false]);
});

it('a client bears what its name is mapped to, as soon as it is', async () => {
  await mapField(database.db, parseFieldPlace('clients.name'), 'pais');
  await refreshMapping(database.db);
  expect(await lines(`select client_name from bi.clients where not is_account order by 1`)).toEqual([
    'ES (c1)',
    'ES (c2)',
  ]);
});
