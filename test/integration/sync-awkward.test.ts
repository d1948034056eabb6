// A server that is awkward in every way the reference leaves open: every route and client of it is stored as it is; where
// much goes wrong at once, what fails publishes nothing and vanishes nothing, and the next sync asks for what is missing only
// (each fault by itself: torture); killed at random moments, stopped by the user, frozen and taken for dead it ends in the same
// state; the user's own mistakes end with one clear message, without a stack or the key.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Limits } from '../../src/config/config.ts';
import {
  createWorkplace,
  type Ended,
  type RunningCli,
  settingsFor,
  type Workplace,
} from '../support/awkward-cli.ts';
import { committed } from '../support/awkward-committed.ts';
import { type Asked, type AwkwardServer, type Fault, startAwkwardServer } from '../support/awkward-server.ts';
import { differences, type SliceTruth, truthOf } from '../support/awkward-truth.ts';
import { clientIds } from '../support/awkward-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { randomOf } from '../torture/random.ts';

interface Scene {
  readonly server: AwkwardServer;
  readonly database: TestDatabase;
  readonly place: Workplace;
}

const scenes: Scene[] = [];
afterAll(async () => {
  await Promise.all(scenes.map(({ place }) => place.remove()));
  await Promise.all(scenes.map(({ server }) => server.close()));
  await Promise.all(scenes.map(({ database }) => database.drop()));
});

/** Ends with the file; `run` stays in this process. */
async function newScene({ limits = {} }: { readonly limits?: Partial<Limits> } = {}): Promise<Scene> {
  const [server, database] = await Promise.all([startAwkwardServer(), createTestDatabase()]);
  const place = await createWorkplace(settingsFor(server, database.url), limits);
  const scene = { server, database, place };
  scenes.push(scene);
  return scene;
}

const limits = { maxAttempts: 2 };
let server: Scene['server'];
let database: Scene['database'];
let place: Scene['place'];
/** Requests of a first sync. */
let requests: number;

beforeAll(async () => {
  ({ server, database, place } = await newScene({ limits }));
});

const first = '2025-03-01';
const second = '2025-03-02';

async function sync(runDate: string, ...flags: string[]): Promise<void> {
  const ended = await place.run(['sync', '--run-date', runDate, ...flags]);
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stdout + ended.stderr).not.toContain(server.key);
  expect(server.violations).toEqual([]);
}

interface SliceRow {
  readonly stream: string;
  readonly client_id: string;
  readonly [column: string]: unknown;
}

async function slices({ pool }: Scene['database'], runDate: string): Promise<SliceRow[]> {
  const { rows } = await pool.query<SliceRow>(
    'select * from sync.slice where run_date = $1 order by stream collate "C", client_id collate "C"',
    [runDate],
  );
  return rows;
}

/** Reads where every version lies and which transaction wrote it. */
async function versions(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'select tableoid::regclass::text as place, ctid::text, xmin::text, xmax::text from snapshot.record order by 1, 2',
  );
  return rows;
}

function byScope(truth: readonly SliceTruth[]): SliceTruth[] {
  const name = (slice: SliceTruth) => Buffer.from(`${slice.stream}\u0000${slice.clientId}`);
  return [...truth].sort((a, b) => Buffer.compare(name(a), name(b)));
}

/** The first date is stored whole, each slice counts its records and replaced values, and no page is left. */
async function expectWhole(of: Scene['database']): Promise<SliceRow[]> {
  expect(await differences(of.pool, truthOf(1))).toEqual([]);
  const rows = await slices(of, first);
  const found = rows.map(({ stream, client_id, status, records, replaced_values }) => {
    return { stream, clientId: client_id, status, records, replaced: replaced_values };
  });
  const expected = byScope(truthOf(1)).map(({ stream, clientId, records, replaced }) => {
    return { stream, clientId, status: 'complete', records: records.length, replaced };
  });
  expect(found).toEqual(expected);
  expect(await of.rows('select from sync.page')).toEqual([]);
  return rows;
}

test('the current records of every route and client are what the server has, and every slice counts them', async () => {
  await sync(first);
  const rows = await expectWhole(database);
  requests = server.asked.length;
  expect(rows.reduce((sum, row) => sum + Number(row['requests']), 0)).toBe(requests);
});

test('a second sync of the same run date asks for nothing', async () => {
  const asked = server.asked.length;
  await sync(first);
  expect(server.asked.length).toBe(asked);
});

test('--again asks for everything again and writes no version when nothing changed', async () => {
  const before = { versions: await versions(), asked: server.asked.length };
  await sync(first, '--again');
  // Records that really repeat were walked twice the first time, to see whether pages had moved.
  const proved = server.asked.filter(({ route }) => route === 'citas').length / 3;
  expect(proved).toBe(3);
  // The page with damaged bytes was asked for twice, too.
  const damaged = 1;
  expect(server.asked.length).toBe(2 * before.asked - proved - damaged);
  expect(await versions()).toEqual(before.versions);
});

function expectClean(ended: Ended, ...secrets: string[]): void {
  const all = ended.stdout + ended.stderr;
  expect(all).not.toMatch(/^\s+at /m);
  for (const secret of [server.key, ...secrets]) expect(all).not.toContain(secret);
}

const html = '<html><body>Bad gateway</body></html>';

/** Faults that stay, by stream. */
const lasting: Readonly<Record<string, (asked: Asked) => Fault | undefined>> = {
  citas: ({ cursor }) => (cursor === '' ? undefined : { kind: 'status', status: 500 }),
  actions: () => ({ kind: 'body', body: html, type: 'text/html' }),
  sources: () => ({ kind: 'truncated' }),
  demand: () => ({ kind: 'status', status: 429, body: '{"error":"quota","mensaje":"Tope diario"}' }),
  // Not there, in the one way or the other.
  fanouts: () => ({ kind: 'status', status: 404, body: html }),
  citations: () => ({ kind: 'status', status: 403 }),
};

/** Its list was always empty. */
const neverHadRecords = 'fanouts';

/** Faults of the first try for the first page only. */
const passing: Readonly<Record<string, Fault>> = {
  respuestas: { kind: 'status', status: 503, body: html },
  optimizer: { kind: 'reset' },
  'airank/history': { kind: 'body', body: '' },
};

function faults(asked: Asked): Fault | undefined {
  if (asked.route === 'visibility' && asked.clientId === 'acme') return { kind: 'status', status: 404 };
  const isFirst = asked.cursor === '' && asked.times === 1;
  return lasting[asked.route]?.(asked) ?? (isFirst ? passing[asked.route] : undefined);
}

function broken({ stream, clientId }: Pick<SliceTruth, 'stream' | 'clientId'>): boolean {
  return stream in lasting || (stream === 'visibility' && clientId === 'acme');
}

test('the next run date stores the changes; what fails keeps the day before, and a later sync does the rest', async () => {
  server.day = 2;
  // The first try of the second day is meant.
  const nameOf = ({ route, clientId, cursor }: Asked) => JSON.stringify([route, clientId, cursor]);
  const firstDay = new Map<string, number>();
  for (const one of server.asked) firstDay.set(nameOf(one), (firstDay.get(nameOf(one)) ?? 0) + 1);
  server.fault = (asked) => faults({ ...asked, times: asked.times - (firstDay.get(nameOf(asked)) ?? 0) });
  const before = server.asked.length;
  const failed = await place.run(['sync', '--run-date', second, '--json']);
  expect(failed.code, failed.stderr).toBe(1);
  expectClean(failed);
  const mixed = [...truthOf(2).filter((slice) => !broken(slice)), ...truthOf(1).filter(broken)];
  expect(await differences(database.pool, mixed)).toEqual([]);
  const traces = server.asked
    .slice(before)
    .filter(({ route, value }) => route === 'agent/runs' && value !== '');
  // The only run that changed.
  expect(traces.map(({ value }) => value)).toEqual(['RUN']);
  const open = (await slices(database, second)).filter(({ status }) => status !== 'complete');
  // The refused streams had data the day before, so three run dates have to say that it is gone.
  const expected = Object.keys(lasting).map((name) => [
    `${name} `,
    name === neverHadRecords ? 'unavailable' : 'failed',
  ]);
  expect(
    Object.fromEntries(open.map(({ stream, client_id, status }) => [`${stream} ${client_id}`, status])),
  ).toEqual(Object.fromEntries([...expected, ['visibility acme', 'failed']]));
  expect(open.filter(({ error }) => error === null || error === '')).toEqual([]);
  const account = { slices: { failed: 6, unavailable: 1 }, ended: null };
  expect(JSON.parse(failed.stdout)).toMatchObject({ exit_code: 1, status: 'failed', accounts: [account] });

  server.fault = undefined;
  const isCommitted = await committed(database.pool, second);
  const asked = server.asked.length;
  await sync(second);
  const later = server.asked.slice(asked);
  expect(later.filter(isCommitted)).toEqual([]);
  expect(new Set(later.map(({ route }) => route))).toEqual(new Set([...Object.keys(lasting), 'visibility']));
  expect(await differences(database.pool, truthOf(2))).toEqual([]);
  expect(await differences(database.pool, truthOf(1), { at: first })).toEqual([]);
  const well = (await slices(database, second)).filter(({ stream }) =>
    ['prompts', 'actions', 'mediciones', 'optimizer', 'products', 'triggers'].includes(stream),
  );
  expect(well.length).toBe(13);
  for (const slice of well) {
    expect(slice).toMatchObject({ inserted: 2, changed: 1, vanished: 1, unchanged: 5, key_conflicts: 0 });
  }
});

test('a run date older than the newest published one is refused before the first request', async () => {
  const asked = server.asked.length;
  const ended = await place.run(['sync', '--run-date', first]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(`Expected a run date of ${second} or later`);
  expect(server.asked.length).toBe(asked);
});

const args = ['sync', '--run-date', first];

test('killed at random moments and started again it ends like an undisturbed run', async () => {
  const { server, database, place } = await newScene();
  const random = randomOf(20_250_301);
  let kills = 0;
  let isCommitted = await committed(database.pool, first);
  for (let ended: Ended | undefined; ended?.code !== 0; ) {
    const start = server.asked.length;
    // Both come before everything is asked for.
    const killAt = start + 1 + Math.floor(random() * requests * 0.45);
    const delayMs = random() * 40;
    const run = place.start(args);
    server.fault = ({ number }) => {
      if (number === killAt && kills < 2) setTimeout(() => run.child.kill('SIGKILL'), delayMs);
      return undefined;
    };
    ended = await run.ended;
    if (ended.code === null) kills += 1;
    else expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    expect(server.asked.slice(start).filter(isCommitted)).toEqual([]);
    isCommitted = await committed(database.pool, first);
  }
  expect(kills).toBe(2);
  await expectWhole(database);
  expect(await database.rows(`select from snapshot.record where until <> 'infinity'`)).toEqual([]);
  expect(server.violations).toEqual([]);
});

test('Ctrl-C ends it although the server hangs, says how to go on, and the rest follows', async () => {
  const { server, database, place } = await newScene();
  const start = server.asked.length;
  const streams = ['respuestas', 'citas', 'products'];
  const few = [...args, '--streams', streams.join()];
  const run = place.start(few);
  server.fault = ({ route, cursor }) => {
    if (route !== 'respuestas' || cursor === '') return undefined;
    run.child.kill('SIGINT');
    return { kind: 'hang' };
  };
  const stopped = await run.ended;
  expect(stopped.code).toBe(1);
  expect(stopped.stderr + stopped.stdout).toContain('--run-date 2025-03-01');
  expect(stopped.stderr + stopped.stdout).not.toContain('    at ');
  server.fault = undefined;
  const isCommitted = await committed(database.pool, first);
  expect(server.asked.slice(start).some((asked) => asked.route === 'respuestas' && isCommitted(asked))).toBe(
    true,
  );
  const again = server.asked.length;
  const resumed = await place.run(few);
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
  expect(server.asked.slice(again).filter(isCommitted)).toEqual([]);
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

test('a publish that fails leaves its pages as the checkpoint, and they are published without a request', async () => {
  const { server, database, place } = await newScene();
  await database.pool.query(`
    create function no() returns trigger language plpgsql as 'begin raise exception ''the disk is full''; end';
    create trigger no before update on sync.slice for each row when (new.status = 'complete') execute function no()`);
  const streams = ['mediciones', 'ask'];
  for (const stream of streams) {
    expect(await place.run([...args, '--streams', stream])).toMatchObject({ code: 1 });
  }
  await database.pool.query('drop trigger no on sync.slice');
  const asked = server.asked.length;
  const resumed = await place.run([...args, '--streams', streams.join()]);
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
  expect(server.asked.length).toBe(asked);
  const truth = truthOf(1).filter(({ stream }) => streams.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
  const { rows: keys } = await database.pool.query(
    `select record_key from snapshot.record where stream = 'mediciones' order by 1 limit 1`,
  );
  expect(keys).toEqual([{ record_key: 'm-101' }]);
});

/** Tells when the server was asked for the second page of an archive so many times or more; holds that answer. */
function secondPage(server: Scene['server'], times: number) {
  let answer = () => {};
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    let isHeld = false;
    server.fault = (one) => {
      // On a busy machine a request before may have been repeated.
      if (isHeld || one.route !== 'respuestas' || one.cursor === '' || one.times < times) return undefined;
      isHeld = true;
      resolve();
      return { kind: 'delay', until };
    };
  });
  return { asked, answer };
}

/** Between two transactions: one that it holds open would be waited for, a minute at most. */
async function freeze(pool: pg.Pool, { child }: RunningCli): Promise<void> {
  for (let open = 1; open > 0; ) {
    child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGSTOP');
    const { rows } = await pool.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    );
    open = rows[0]?.open ?? 0;
  }
  // The connection that holds the lock of its process is lost; those that it stores pages by are not.
  await pool.query(
    `select pg_terminate_backend(pid, 5000) from pg_locks
     where locktype = 'advisory' and classid::bigint = sync.worker_lock_class()
       and database = (select oid from pg_database where datname = current_database())`,
  );
}

test('a walk again that wakes after another run took its slices waits for them', async () => {
  const { server, database, place } = await newScene();
  const streams = ['respuestas', 'citas', 'products'];
  const few = [...args, '--streams', streams.join()];
  const log = { AIRANK_LOG_FORMAT: 'json', AIRANK_LOG_LEVEL: 'warn' };
  const start = () => place.start([...few, '--json', '--again'], log);
  expect((await place.run(few)).code).toBe(0);
  const before = server.asked.length;
  const page = secondPage(server, 2);
  const first = start();
  await page.asked;
  await freeze(database.pool, first);
  // Stored before, the page would not be asked for again.
  page.answer();
  const again = secondPage(server, 3);
  const second = start();
  await again.asked;
  first.child.kill('SIGCONT');
  setTimeout(again.answer, 1_000);
  const ends = await Promise.all([first.ended, second.ended]);
  for (const end of ends) {
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout).accounts[0].slices).toMatchObject({
      failed: 0,
      stopped: 0,
      not_started: 0,
    });
  }
  expect(ends[0]?.stderr).toContain('slice.taken_over');
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
  const { rows } = await database.pool.query(`
    select count(*) filter (where status <> 'complete' and status <> 'unavailable')::int as open,
      (select count(*)::int from sync.page) as pages from sync.slice`);
  expect(rows).toEqual([{ open: 0, pages: 0 }]);
  // Each page by both at most.
  const { length: once } = [
    ...new Set(server.asked.map(({ times: _, number: __, ...asked }) => JSON.stringify(asked))),
  ];
  expect(server.asked.length - before).toBeLessThanOrEqual(2 * once);
});

const some = ['clientes', 'airank', 'visibility', 'products', 'prompts', 'prediccion'];
const onlySome = ['sync', '--run-date', first, '--streams', some.join()];

const refused = { kind: 'status', status: 403 } as const;

test.each<[string, readonly string[], Fault]>([
  ['whose list of clients is empty', ['clientes'], { kind: 'body', body: '{"clientes":[],"paginacion":{}}' }],
  ['without the streams that are walked first', ['clientes', 'airank', 'visibility'], refused],
])('an account %s is walked for itself', async (_, without, fault) => {
  const { server, database, place } = await newScene({ limits });
  server.fault = ({ route }) => (without.includes(route) ? fault : undefined);
  const ended = await place.run(onlySome);
  expect(ended, ended.stderr + ended.stdout).toMatchObject({ code: 0 });
  const truth = truthOf(1, []).filter(({ stream }) => some.includes(stream) && !without.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

test('clients listed twice, or without an identifier, do not hide the others', async () => {
  const { server, database, place } = await newScene({ limits });
  const listed = [...clientIds.map(({ id }) => ({ id })), { id: 'acme' }, { nombre: 'sin id' }, { id: null }];
  server.fault = ({ route }) =>
    route === 'clientes' ? { kind: 'body', body: JSON.stringify({ clientes: listed }) } : undefined;
  const ended = await place.run(onlySome);
  // Told, because two clients cannot be walked.
  expect(ended.code).toBe(1);
  const truth = truthOf(1).filter(({ stream }) => some.includes(stream) && stream !== 'clientes');
  const clients: SliceTruth = {
    stream: 'clientes',
    clientId: '',
    records: listed.map((client) => ({ sent: '', stored: JSON.stringify(client), replaced: 0 })),
    envelope: undefined,
    replaced: 0,
  };
  expect(await differences(database.pool, [...truth, clients])).toEqual([]);
});

async function syncWith(
  fault: Fault | undefined,
  env: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
): Promise<Ended> {
  server.fault = () => fault;
  try {
    return await place.run(['sync', '--run-date', '2025-03-01', ...flags], env);
  } finally {
    server.fault = undefined;
  }
}

const wrong = 'ak_live_wrong_0123456789';

describe('a mistake of the user, or a world that is not there', () => {
  beforeAll(async () => {
    ({ server, database, place } = await newScene({ limits }));
  });

  test.each<[string, readonly string[], ...Parameters<typeof syncWith>]>([
    ['a refused key', ['AIRANK_API_KEY', '401'], undefined, { AIRANK_API_KEY: wrong }],
    ['403 on everything', ['AIRANK_API_KEY'], { kind: 'status', status: 403 }],
    [
      '403 on the only stream',
      ['AIRANK_API_KEY'],
      { kind: 'status', status: 403 },
      {},
      '--streams',
      'prediccion',
    ],
    ['404 on everything', ['AIRANK_BASE_URL'], { kind: 'status', status: 404, body: html }],
    [
      'an address where nothing listens',
      ['AIRANK_BASE_URL', 'ECONNREFUSED'],
      undefined,
      { AIRANK_BASE_URL: 'http://127.0.0.1:9' },
    ],
  ])('%s ends it after few requests and names the setting', async (_, named, ...how) => {
    const asked = server.asked.length;
    const ended = await syncWith(...how);
    expect(ended.code).toBe(1);
    for (const text of named) expect(ended.stdout + ended.stderr).toContain(text);
    expectClean(ended, wrong);
    expect(server.asked.length - asked).toBeLessThan(60);
  });

  test('a dead or unknown database is named without its password', async () => {
    const dead = new URL(database.url);
    dead.port = '9';
    dead.password = 'p4ss-w0rd-of-nobody';
    const unknown = new URL(database.url);
    unknown.pathname = '/no_such_database';
    for (const url of [dead, unknown]) {
      const asked = server.asked.length;
      const ended = await syncWith(undefined, { DATABASE_URL: url.href });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(url.pathname.slice(1));
      expectClean(ended, 'p4ss-w0rd-of-nobody', url.password);
      expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
      expect(server.asked.length).toBe(asked);
    }
  });
});
