// Clients that leave the list of clients, stay away and come back, as the curated views show them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { readFreshness, readStreamStatus } from '../../src/status/status-report.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

const day = (place: number) => `2026-03-${String(place).padStart(2, '0')}`;
const perClient = ['airank', 'visibility_history', 'products'];
const events = ['mediciones', 'respuestas', 'triggers', 'agent_runs', 'agent_memory'];
const both = ['c1', 'c2'];
const names: Record<string, string> = { c1: 'Uno', c2: 'Dos' };

async function publishList(place: number, clients: readonly string[], more: object = {}): Promise<void> {
  const records = clients.map((id) => ({ id, nombre: names[id], pais: 'ES', ...more }));
  await publishRecords(db, { stream: 'clientes', runDate: day(place), records });
}

async function publishClient(place: number, clientId: string): Promise<void> {
  const slice = { clientId, runDate: day(place) };
  const point = { metodo: 'v2', comparable: true, puntuacion: 40 + place };
  await publishRecords(db, {
    ...slice,
    stream: 'airank',
    records: [{ ...point, fecha: day(place) }],
    key: [],
  });
  const history = [
    { id: 'h1', ...point, puntuacion: 30, fecha: '2026-02-20' },
    { id: 'h2', ...point, puntuacion: 31, fecha: '2026-02-27' },
  ];
  await publishRecords(db, { ...slice, stream: 'visibility_history', records: history });
  const products = [
    { id: 'p1', nombre: 'Mesa', presencia: 0.5 },
    { id: 'p2', nombre: 'Silla', presencia: place / 10 },
  ];
  await publishRecords(db, { ...slice, stream: 'products', records: products });
}

/** Publishes what a run makes of the slices of a client that left: complete ones without records. */
async function publishLeft(place: number, clientId: string): Promise<void> {
  for (const stream of perClient) {
    const key = stream === 'airank' ? [] : [['id']];
    await publishRecords(db, { stream, clientId, runDate: day(place), records: [], key });
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
    await publishRecords(db, { stream: name, runDate, records, rest });
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

async function rows(query: string): Promise<unknown[][]> {
  const { rows: found } = await database.pool.query<unknown[]>({ text: query, rowMode: 'array' });
  return found;
}

const views = [
  'actions',
  'action_status_history',
  'agent_decisions',
  'agent_runs',
  'answers',
  'citation_changes',
  'cited_pages',
  'clients',
  'competitor_alerts',
  'share_of_voice',
  'bi_history.share_of_voice',
  'measurements',
  'mention_rates',
  'optimizer_versions',
  'products',
  'bi_history.products',
  'rank_excluded',
  'rank_latest',
  'rank_trend',
  'freshness',
  'bi_history.freshness',
  'triggers_fired',
];

/** Every row of these. */
async function everything(): Promise<Record<string, Record<string, unknown>[]>> {
  const all: Record<string, Record<string, unknown>[]> = {};
  for (const view of views) {
    const { rows: found } = await database.pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(x) as row from ${view.includes('.') ? view : `bi.${view}`} as x order by x::text`,
    );
    all[view] = found.map(({ row }) => row);
  }
  return all;
}

/** Every view shows the same, whether the typed tables are up to date or not, and no row without a name. */
async function bringUpToDate(): Promise<void> {
  const before = await everything();
  expect(views.filter((view) => before[view]?.some((row) => row.client_name === null))).toEqual([]);
  await rebuildAll(db);
  expect(await everything()).toEqual(before);
}

const clientsOf = async (view: string, where = 'true') =>
  (
    await rows(
      `select distinct client_id from ${view.includes('.') ? view : `bi.${view}`} where client_id <> '' and ${where} order by 1`,
    )
  ).flat();

const lists = async () =>
  await rows(
    'select client_id, client_name, client_country, joined_on::text, left_on::text from bi.clients where not is_account order by client_id',
  );
const productDays = async () =>
  await rows(
    `select run_date::text, count(*)::int from bi_history.products where client_id = 'c2' group by 1 order by 1`,
  );
const trend = async () =>
  await rows(`select date::text, score::int, source from bi.rank_trend where client_id = 'c2' order by date`);
const shareDays = async () =>
  (
    await rows(`select run_date::text from bi_history.share_of_voice where client_id = 'c2' order by 1`)
  ).flat();

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await database.pool.query('alter table sync.slice drop constraint slice_walk_known');
  for (const place of [1, 2]) {
    await publishList(place, ['c1', 'c2']);
    for (const client of ['c1', 'c2']) await publishClient(place, client);
    await publishAccount(place, both);
  }
  await refreshViews(db);
  await refreshMapping(db);
});

afterAll(async () => {
  await database.drop();
});

const history = [
  ['2026-02-20', 30, 'visibility_history'],
  ['2026-02-27', 31, 'visibility_history'],
  [day(1), 41, 'airank'],
  [day(2), 42, 'airank'],
];
const current = ['rank_latest', 'actions', 'optimizer_versions', 'products', 'share_of_voice'];
const byEvent: readonly (readonly [string, string])[] = [
  ['measurements', 'measured_date'],
  ['answers', 'answered_date'],
  ['triggers_fired', 'fired_date'],
  ['agent_runs', 'started_at::date'],
  ['agent_decisions', 'decided_date'],
];
const eventDays = async (view: string, date: string) =>
  (
    await rows(
      `select distinct (${date})::text from ${view.includes('.') ? view : `bi.${view}`} where client_id = 'c2' order by 1`,
    )
  ).flat();
// One story: each step goes on where the one before ended.
describe('a client', () => {
  it('is there, as everybody is', async () => {
    await bringUpToDate();
    expect(await lists()).toEqual([
      ['c1', 'Uno', 'ES', day(1), null],
      ['c2', 'Dos', 'ES', day(1), null],
    ]);
    for (const view of current) expect(await clientsOf(view)).toEqual(both);
    expect(await clientsOf('bi_history.products', 'is_latest')).toEqual(both);
    expect(await clientsOf('bi_history.share_of_voice', 'is_latest')).toEqual(both);
  });

  it('that is no longer in the list is current nowhere at once, whatever else is published', async () => {
    await publishList(3, ['c1']);
    expect(await lists()).toEqual([
      ['c1', 'Uno', 'ES', day(1), null],
      ['c2', 'Dos', 'ES', day(1), day(3)],
    ]);
    for (const view of current) expect(await clientsOf(view)).not.toContain('c2');
    expect(await clientsOf('bi_history.products', 'is_latest')).toEqual(['c1']);
    expect(await clientsOf('bi_history.share_of_voice', 'is_latest')).toEqual(['c1']);
    expect(await trend()).toEqual(history);
    await bringUpToDate();
  });

  it('that left is current nowhere, and its history stays under its name', async () => {
    await publishLeft(3, 'c2');
    await publishClient(3, 'c1');
    await publishAccount(3, ['c1']);
    for (const step of [async () => {}, bringUpToDate]) {
      await step();
      for (const view of current) expect(await clientsOf(view)).not.toContain('c2');
      expect(await clientsOf('rank_latest')).toEqual(['c1']);
      expect(await clientsOf('actions')).toEqual(['c1']);
      expect(await clientsOf('bi_history.products', 'is_latest')).toEqual(['c1']);
      expect(await clientsOf('bi_history.share_of_voice', 'is_latest')).toEqual(['c1']);
      expect(await productDays()).toEqual([
        [day(1), 2],
        [day(2), 2],
      ]);
      expect(await shareDays()).toEqual([day(1), day(2)]);
      expect(await trend()).toEqual(history);
    }
  });

  it('that stays away has nothing of the dates after it left, also where the account goes on giving it', async () => {
    await publishList(4, ['c1'], { pais: 'FR' });
    await publishClient(4, 'c1');
    await publishAccount(4, ['c1']);
    await bringUpToDate();
    expect(await lists()).toEqual([
      ['c1', 'Uno', 'FR', day(1), null],
      ['c2', 'Dos', 'ES', day(1), day(3)],
    ]);
    expect(await trend()).toEqual(history);
    expect(await shareDays()).toEqual([day(1), day(2)]);
    expect(await productDays()).toHaveLength(2);
    for (const [view, date] of byEvent) expect(await eventDays(view, date)).toEqual([day(1)]);
    expect(
      await rows(`select alert_date::text, last_run_date::text from bi.competitor_alerts order by 1`),
    ).toEqual([
      [day(1), day(2)],
      [day(2), day(2)],
    ]);
    expect(
      await rows(
        `select status, from_date::text, until_date::text from bi.action_status_history where client_id = 'c2'`,
      ),
    ).toEqual([['nueva', null, day(3)]]);
    expect(
      await rows(`select stream from bi.freshness where client_id = 'c2' and client_left_on is null`),
    ).toEqual([]);
  });

  it('that is back has new versions, and the gap stays one', async () => {
    names.c2 = 'Dos de vuelta';
    await publishList(5, ['c1', 'c2']);
    // Its history is read again later in the run: until then it is as it was.
    await publishRecords(db, {
      stream: 'airank',
      clientId: 'c2',
      runDate: day(5),
      records: [{ metodo: 'v2', comparable: true, puntuacion: 45, fecha: day(5) }],
      key: [],
    });
    expect(await trend()).toEqual([...history, [day(5), 45, 'airank']]);
    await publishClient(5, 'c1');
    await publishClient(5, 'c2');
    await publishAccount(5, both);
    for (const step of [async () => {}, bringUpToDate]) {
      await step();
      expect(await lists()).toEqual([
        ['c1', 'Uno', 'ES', day(1), null],
        ['c2', 'Dos de vuelta', 'ES', day(1), null],
      ]);
      for (const view of current) expect(await clientsOf(view)).toEqual(both);
      expect(await clientsOf('bi_history.products', 'is_latest')).toEqual(both);
      expect(await clientsOf('bi_history.share_of_voice', 'is_latest')).toEqual(both);
      expect((await productDays()).map(([date]) => date)).toEqual([day(1), day(2), day(5)]);
      expect(await shareDays()).toEqual([day(1), day(2), day(5)]);
      expect(await trend()).toEqual([...history, [day(5), 45, 'airank']]);
    }
    await publishClient(6, 'c2');
  });

  it('that leaves and comes back neither loses nor gains pages by that', async () => {
    expect(
      await rows(`select change, run_date::text from bi.citation_changes where client_id = 'c2'`),
    ).toEqual([]);
  });
});

describe('every curated view', () => {
  it('says of each row with a client whether it may be of one that left', async () => {
    const views = await rows(
      `select c.relnamespace::regnamespace || '.' || c.relname, pg_get_viewdef(c.oid), exists (
         select from pg_attribute where attrelid = c.oid and attname = 'is_latest'
       ) from pg_class as c where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v' order by 1`,
    );
    const undecided = views
      .filter(([, text]) => !/\b(left_on|absence)\b/.test(String(text)))
      .map(([view]) => view);
    // None has rows of a client.
    expect(undecided).toEqual([
      'bi.crawler_visits',
      'ops.field_catalog',
      'ops.request_budget',
      'ops.write_log',
    ]);
    // Rows by date stay in the history: each view judges by a row's own run date whether its client was absent.
    const byDate = views.filter(
      ([view, , isLatest]) =>
        isLatest && String(view).startsWith('bi_history.') && view !== 'bi_history.freshness',
    );
    expect(byDate.length).toBeGreaterThan(14);
    expect(byDate.filter(([, text]) => !/\babsence @> x\.run_date\b/.test(String(text)))).toEqual([]);
  });
});

describe('how fresh the data is', () => {
  const fresh = async () =>
    (await readFreshness(db, ['other'], ['products'])).map(({ completedAt }) => completedAt.getTime());
  const publishOne = async (place: number, clientId: string) =>
    await publishRecords(db, {
      stream: 'products',
      account: 'other',
      clientId,
      runDate: day(place),
      records: [{ id: 'p1', nombre: 'Mesa' }],
    });
  const leave = async (place: number, clientId: string) => {
    await publishRecords(db, {
      stream: 'products',
      account: 'other',
      clientId,
      runDate: day(place),
      records: [],
    });
    await database.pool.query(
      `update sync.slice set walk = 'left' where account = 'other' and client_id = $1 and run_date = $2`,
      [clientId, day(place)],
    );
  };
  const completedAt = async (place: number, clientId: string) =>
    (
      await rows(
        `select completed_at from sync.slice where account = 'other' and client_id = '${clientId}' and run_date = '${day(place)}'`,
      )
    ).map(([at]) => (at as Date).getTime());
  const ended = async () =>
    (await readStreamStatus(db)).filter(({ account }) => account === 'other').map((line) => line.ended);

  it('is not told by a client that left, and when all did, nothing is missing', async () => {
    for (const client of both) await publishOne(1, client);
    expect(await fresh()).toEqual(await completedAt(1, 'c1'));
    await leave(2, 'c1');
    await publishOne(3, 'c2');
    expect(await fresh()).toEqual(await completedAt(3, 'c2'));
    expect(await ended()).toEqual([false]);
    await leave(4, 'c2');
    expect(await fresh()).toEqual([]);
    expect(await ended()).toEqual([true]);
    await publishOne(5, 'c1');
    expect(await fresh()).toEqual(await completedAt(5, 'c1'));
    expect(await ended()).toEqual([false]);
  });
});
