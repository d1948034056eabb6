// The database dies, restarts, loses its connections or has a full disk in the middle of a run: the run
// waits, goes on where it was and ends in the state of an undisturbed one, or says clearly that it gave up.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { planSlices } from '../../src/store/slices/slices.ts';
import { createWorkplace, settingsFor, type Workplace } from '../support/awkward-cli.ts';
import { type AwkwardServer, startAwkwardServer } from '../support/awkward-server.ts';
import { differences, truthOf } from '../support/awkward-truth.ts';
import { runIds } from '../support/awkward-world.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { type RestartablePostgres, startRestartablePostgres } from '../support/restartable-postgres.ts';
import { set } from '../support/test-server.ts';
import { startWorker } from '../support/worker-in-process.ts';
import { type Copies, type Copy, createCopies } from '../torture/copies.ts';

let server: AwkwardServer;
let postgres: RestartablePostgres;
let proxy: DatabaseProxy;
let place: Workplace;
/** Waits for a second only, in this process. */
let impatient: Workplace;
let copies: Copies;
let database: Copy;
const args = ['sync', '--run-date', '2025-03-01'];
const few = ['respuestas', 'citas', 'agent_runs', 'agent_run_traces'];
const fewArgs = [...args, '--streams', few.join(',')];

beforeAll(async () => {
  server = await startAwkwardServer();
  postgres = await startRestartablePostgres();
  proxy = await startDatabaseProxy(postgres.url);
  copies = await createCopies(postgres.url);
});

afterAll(async () => {
  await proxy?.close();
  await server?.close();
  await postgres?.close();
});

beforeEach(async () => {
  server.day = 1;
  server.fault = undefined;
  database = await copies.clone(copies.empty);
  const env = {
    ...settingsFor(server, proxy.url(database.name)),
    AIRANK_LOG_FORMAT: 'json',
    AIRANK_LOG_LEVEL: 'warn',
  };
  // In this process, with the patience of the program.
  place = await createWorkplace(env, {});
  impatient = await createWorkplace(env, { databasePatienceMs: 1_000 });
  return async () => {
    await database.rest();
    await place.remove();
    await impatient.remove();
  };
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As when the server is killed: no goodbye. */
async function crash(): Promise<void> {
  proxy.setTarget(undefined);
  await postgres.end('immediate');
}

async function restart(): Promise<void> {
  await postgres.start();
  proxy.setTarget(postgres.url);
}

async function differencesNow(): Promise<unknown> {
  const { rows } = await database.pool.query('select status, count(*)::int as runs from sync.run group by 1');
  const truth = truthOf(1).filter(({ stream }) => few.includes(stream));
  return { differences: await differences(database.pool, truth), runs: rows };
}

/** Does something at each of these requests, counted from now. */
function atRequests(numbers: readonly number[], what: () => void): void {
  const start = server.asked.length;
  server.fault = ({ number }) => {
    if (numbers.includes(number - start)) what();
    return undefined;
  };
}

const undisturbed = { differences: [], runs: [{ status: 'complete', runs: 1 }] };

/** Runs to its end, which is that of a run without disturbances. */
async function expectUndisturbed(meanwhile?: () => Promise<unknown> | undefined) {
  const ended = await place.run(fewArgs);
  await meanwhile?.();
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(await differencesNow()).toEqual(undisturbed);
  return ended;
}

/** Does something in the database at each page that is stored. */
const atPages = (when: string, body: string) =>
  database.pool.query(`
    create function disturb() returns trigger language plpgsql as $$ begin ${body}; return null; end $$;
    create trigger disturb ${when} execute function disturb()`);

test('a database that crashes twice in the middle of a run costs some seconds and nothing else', async () => {
  let crashes: Promise<void> = Promise.resolve();
  atRequests([8, 24], () => {
    crashes = crashes.then(crash).then(restart);
  });
  const ended = await expectUndisturbed(() => crashes);
  expect(ended.stderr).toContain('database.lost');
  expect(ended.stderr).toContain('database.back');
  expect(server.violations).toEqual([]);
});

test('a walk made again goes on after an outage at what it had stored itself', async () => {
  expect(await place.run(fewArgs)).toMatchObject({ code: 0 });
  const start = server.asked.length;
  atRequests([5], () => {
    proxy.setTarget(undefined);
    setTimeout(() => proxy.setTarget(postgres.url), 1_000);
  });
  const ended = await place.run([...args, '--again', '--streams', 'respuestas']);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('database.lost');
  const asked = server.asked.slice(start).map(({ cursor }) => cursor);
  // The page in flight may come twice, those before it are the checkpoint.
  for (const cursor of asked.slice(0, 3)) expect(asked.filter((one) => one === cursor)).toHaveLength(1);
  expect(new Set(asked).size).toBeGreaterThan(5);
  expect(await differencesNow()).toMatchObject({ differences: [] });
});

describe('a server that only reads for a while, as a managed one whose disc is full,', () => {
  const readOnly = (is: 'on' | 'off') => set(postgres.url, { default_transaction_read_only: is });
  const events = (log: string) => log.match(/database\.\w+/g);
  afterEach(() => readOnly('off'));

  test('is waited for by a run, before it begins and in its middle, and named once', async () => {
    await readOnly('on');
    atRequests([10], () => void readOnly('on'));
    const run = place.start(fewArgs);
    run.child.stderr?.on('data', (text: string) => {
      // Long enough for it to be met again.
      if (text.includes('database.read_only')) setTimeout(() => void readOnly('off'), 1_000);
    });
    const ended = await run.ended;
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const once = ['database.read_only', 'database.back'];
    expect(events(ended.stderr)).toEqual([...once, ...once]);
    expect(await differencesNow()).toEqual(undisturbed);
  });

  test('is named once by a worker too, which works when it takes writes again', async () => {
    await readOnly('on');
    const config = accountsConfig(server.url, ['one']);
    const worker = startWorker({ url: database.url }, () => config);
    await vi.waitFor(() => expect(JSON.stringify(worker.log)).toContain('database.read_only'), 15_000);
    await pause(1_000);
    const before = events(JSON.stringify(worker.log));
    await readOnly('off');
    await vi.waitFor(() => expect(JSON.stringify(worker.log)).toContain('worker.waiting'), 15_000);
    await worker.stop();
    expect(before).toEqual(['database.read_only']);
    expect(events(JSON.stringify(worker.log))).toEqual(['database.read_only', 'database.back']);
  });
});

test('a disk that is full for a while is waited for', async () => {
  const full = `raise exception 'could not extend file: No space left on device' using errcode = '53100'`;
  await atPages('before insert on sync.page for each statement', full);
  let emptied: Promise<unknown> | undefined;
  atRequests([5], () => {
    emptied = pause(1_500).then(() => database.pool.query('drop trigger disturb on sync.page'));
  });
  const ended = await expectUndisturbed(() => emptied);
  expect(ended.stderr).toContain('No space left on device');
});

/** Takes rows back, as a replica that takes over and had not everything does. */
const takeBack = (which: string) =>
  `with gone as (delete from sync.slice where ${which} returning account, id)
   delete from sync.page p using gone g where p.account = g.account and p.slice_id = g.id`;

test('slices that a failover takes back before they are walked are planned and walked again', async () => {
  let taken: Promise<unknown> | undefined;
  atRequests([6], () => {
    taken = database.pool.query(takeBack(`status in ('planned', 'walking')`));
  });
  await expectUndisturbed(() => taken);
});

test('what was published and a failover takes back is no success', async () => {
  // With the next page of another stream.
  await atPages(
    'after insert on sync.page for each row',
    takeBack(`status = 'complete' and stream = 'citas'`),
  );
  const ended = await place.run([...fewArgs, '--json']);
  expect(ended, ended.stderr).toMatchObject({ code: 1 });
  const [account] = JSON.parse(ended.stdout).accounts;
  expect(account.failures).toMatchObject([{ stream: 'citas', error: expect.stringContaining('failover') }]);
  expect(account.slices).toMatchObject({ failed: 1 });
});

// A crash between the last page and the publish: nothing that the walk asks fails by it.
test.each([
  [
    'of a list',
    `new.next_cursor is null and new.slice_id in (select id from sync.slice where stream = 'respuestas')`,
  ],
  [
    'of details',
    `new.page_no = ${runIds.length} and new.slice_id in (select id from sync.slice where stream = 'agent_run_traces')`,
  ],
])('the last page %s that a crash takes back is asked for again', async (_, isLast) => {
  await database.pool.query('create sequence lost');
  await atPages(
    'after insert on sync.page for each row',
    `if ${isLast} and nextval('lost') = 1 then
       delete from sync.page where account = new.account and slice_id = new.slice_id and page_no = new.page_no;
     end if`,
  );
  await expectUndisturbed();
  expect((await database.pool.query('select is_called from lost')).rows).toEqual([{ is_called: true }]);
});

test('after its patience it ends with 1 and says so; the next run goes on', async () => {
  let down: Promise<void> | undefined;
  atRequests([10], () => {
    down ??= crash();
  });
  const ended = await impatient.run(fewArgs);
  await down;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('The database was unavailable for 1 s');
  expect(ended.stderr).toContain('run this again when the database is back');
  expect(ended.stderr).not.toContain('    at ');
  server.fault = undefined;
  await restart();
  const again = await place.run(fewArgs);
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(await differencesNow()).toMatchObject({ differences: [] });
});

// The last one: the server ends all sessions of the others too.
test('a planned slice outlives a crash of the server, even where commits need not be durable by default', async () => {
  const { pool } = database;
  await pool.query('alter system set wal_writer_delay = 10000');
  await pool.query(`alter database ${database.name} set synchronous_commit = off`);
  await pool.query('select pg_reload_conf()');
  const owner = createPool({ connectionString: database.url, max: 1, applicationName: 'airank-warehouse' });
  const db = createDatabase(owner);
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
  await owner.query('checkpoint');
  const checkpointer = async () =>
    (await pool.query(`select pid from pg_stat_activity where backend_type = 'checkpointer'`)).rows[0]?.pid;
  const before = await checkpointer();
  const scopes = [{ stream: 'citas', account: 'a', clientId: '' }];
  const [planned] = await planSlices(db, '2025-03-01' as RunDate, scopes, 1);
  // As the out-of-memory killer does it: the server ends every session and recovers.
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await owner.end();
  await vi.waitFor(async () => expect([undefined, before]).not.toContain(await checkpointer()), {
    timeout: 20_000,
    interval: 200,
  });
  const found = await pool.query('select id from sync.slice');
  expect(found.rows).toEqual([{ id: planned?.sliceId }]);
});
