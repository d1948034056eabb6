// The database dies, restarts, loses its connections or has a full disk in the middle of a run: the run
// waits, goes on where it was and ends in the state of an undisturbed one, or says clearly that it gave up.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorkplace, settingsFor, type Workplace } from '../support/awkward-cli.ts';
import { type AwkwardServer, startAwkwardServer } from '../support/awkward-server.ts';
import { differences, truthOf } from '../support/awkward-truth.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { type RestartablePostgres, startRestartablePostgres } from '../support/restartable-postgres.ts';
import { type Copies, type Copy, createCopies } from '../torture/copies.ts';

let server: AwkwardServer;
let postgres: RestartablePostgres;
let proxy: DatabaseProxy;
let place: Workplace;
let copies: Copies;
let database: Copy;
const args = ['sync', '--run-date', '2025-03-01'];

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
  place = await createWorkplace({
    ...settingsFor(server, proxy.url(database.name)),
    AIRANK_LOG_FORMAT: 'json',
    AIRANK_LOG_LEVEL: 'warn',
  });
  return async () => {
    await database.rest();
    await place.remove();
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
  return { differences: await differences(database.pool, truthOf(1)), runs: rows };
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

test('a database that crashes three times in the middle of a run costs some seconds and nothing else', async () => {
  let crashes: Promise<void> = Promise.resolve();
  atRequests([15, 40, 70], () => {
    crashes = crashes.then(crash).then(restart);
  });
  const ended = await place.run(args);
  await crashes;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('database.lost');
  expect(ended.stderr).toContain('database.back');
  expect(await differencesNow()).toEqual(undisturbed);
  expect(server.violations).toEqual([]);
});

test('connections that are cut again and again lose nothing, and the run keeps its slices', async () => {
  let cuts: Promise<void> = Promise.resolve();
  atRequests([10, 25, 45, 60, 80], () => {
    cuts = cuts.then(() => postgres.cutAll());
  });
  const ended = await place.run(args);
  await cuts;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(await differencesNow()).toEqual(undisturbed);
});

test('a walk made again goes on after an outage at what it had stored itself', async () => {
  expect(await place.run(args)).toMatchObject({ code: 0 });
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

test('a disk that is full for a while is waited for', async () => {
  await database.pool.query(`
    create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger full_disk before insert on sync.page for each statement execute function full_disk()`);
  let emptied: Promise<unknown> | undefined;
  atRequests([5], () => {
    emptied = pause(1_500).then(() => database.pool.query('drop trigger full_disk on sync.page'));
  });
  const ended = await place.run(args);
  await emptied;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('No space left on device');
  expect(await differencesNow()).toEqual(undisturbed);
});

test('after AIRANK_DATABASE_PATIENCE_S it ends with 1 and says so; the next run goes on', async () => {
  let down: Promise<void> | undefined;
  atRequests([30], () => {
    down ??= crash();
  });
  const ended = await place.run(args, { AIRANK_DATABASE_PATIENCE_S: '1' });
  await down;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('The database could not work for 1 s (AIRANK_DATABASE_PATIENCE_S)');
  expect(ended.stderr).toContain('run it again when the database is back');
  expect(ended.stderr).not.toContain('    at ');
  server.fault = undefined;
  await restart();
  const again = await place.run(args);
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(await differencesNow()).toMatchObject({ differences: [] });
});
