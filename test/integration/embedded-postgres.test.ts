import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { postgresEnvironment } from '../../src/cli/commands/psql-command.ts';
import { WarehouseError } from '../../src/core/errors.ts';
import { clusterUrl, type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { findPostmaster } from '../../src/db/embedded/server.ts';
import { createPool } from '../../src/db/pool.ts';
import { startEmbeddedChild } from '../support/embedded-child.ts';
import { airank } from '../support/fake-terminal.ts';
import { lowPort } from '../support/restartable-postgres.ts';
import { fastFolder } from '../support/test-server.ts';

const isRoot = process.getuid?.() === 0;
/** A data folder with a finished cluster, stopped; copied by the tests that need one. */
let finished: string;
let finishedParent: string;

/** Open to enter, for the user that runs the server when the tests run as root. */
let parent: string;
let dataDir: string;
let lines: string[];
const homes = new Set<string>();

beforeAll(async () => {
  finishedParent = await mkdtemp(join(await fastFolder(), 'airank-embedded-'));
  await chmod(finishedParent, 0o711);
  finished = join(finishedParent, '.airank');
  await mkdir(finished);
  await writeFile(join(finished, 'port'), `${await lowPort()}\n`);
  const server = await openEmbeddedPostgres({ dataDir: finished, log: () => undefined });
  await server.close();
});

afterAll(async () => {
  await rm(finishedParent, { recursive: true, force: true });
});

beforeEach(async () => {
  parent = await mkdtemp(join(await fastFolder(), 'airank-embedded-'));
  await chmod(parent, 0o711);
  dataDir = join(parent, '.airank');
  lines = [];
});

afterEach(async () => {
  for (const home of homes) await rm(home, { recursive: true, force: true });
  homes.clear();
  await rm(parent, { recursive: true, force: true });
});

async function open(folder = dataDir, signal?: AbortSignal): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ dataDir: folder, log: (line) => lines.push(line), signal });
  homes.add(dirname(server.dataFolder));
  return server;
}

/** As if `dataDir` had been opened and closed once; returns the cluster's folder. */
async function closedBefore(): Promise<string> {
  await promisify(execFile)('cp', ['-a', finished, dataDir]);
  return join(dataDir, 'postgres', 'data');
}

async function lastPort(): Promise<number> {
  return Number(await readFile(join(dataDir, 'port'), 'utf8'));
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected an error, got none');
}

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('makes a cluster at the first use, for who has its password, and finds its data and its port again', async () => {
  const first = await open();
  await query(first.url, `create table word_list as select 'ñandú' as word`);
  const [settings] = await query(
    first.url,
    `select concat_ws(' ', current_database(), current_user, current_setting('timezone'), current_setting('server_encoding'),
       current_setting('fsync'), current_setting('listen_addresses'), upper('ñ')) as all`,
  );
  const stranger = new URL(first.url);
  stranger.password = 'wrong';
  await expect(query(stranger.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  await first.close();
  await first.close();
  const second = await open();
  const words = await query(second.url, 'select word from word_list');
  await second.close();

  expect(settings).toEqual({ all: 'airank airank UTC UTF8 on 127.0.0.1 Ñ' });
  expect(words).toEqual([{ word: 'ñandú' }]);
  expect(second.version).toMatch(/^18\./);
  expect([first.startedHere, second.startedHere]).toEqual([true, true]);
  expect(second.port).toBe(first.port);
  expect(await findPostmaster(first.dataFolder)).toBeUndefined();
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
});

test('takes no setting of libpq that is made for another server', async () => {
  await closedBefore();
  const theirs = {
    ...{
      PGHOST: 'db.example.com',
      PGPORT: '1',
      PGUSER: 'somebody',
      PGPASSWORD: 'wrong',
      PGDATABASE: 'theirs',
    },
    ...{ PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/nowhere/ca.pem', PGSSLNEGOTIATION: 'direct' },
    ...{ PGCHANNELBINDING: 'require', PGOPTIONS: '-c nothing.like.it=1 -c default_transaction_read_only=on' },
  };
  for (const [name, value] of Object.entries(theirs)) vi.stubEnv(name, value);
  try {
    const server = await open();
    const pool = createPool({ connectionString: server.url, max: 1, applicationName: 'airank-test' });
    const { rows } = await pool.query('show default_transaction_read_only');
    await pool.end();
    await server.close();
    expect(rows).toEqual([{ default_transaction_read_only: 'off' }]);
  } finally {
    vi.unstubAllEnvs();
  }
  const url = clusterUrl({ password: 'p', port: 5 }, 'airank');
  expect(postgresEnvironment(url, { ...theirs, PGREQUIREAUTH: 'gss' }, true)).toEqual({
    ...{ PGHOST: '127.0.0.1', PGPORT: '5', PGUSER: 'airank', PGPASSWORD: 'p', PGDATABASE: 'airank' },
    ...{ PGSSLMODE: 'disable', PGSSLNEGOTIATION: 'postgres', PGCHANNELBINDING: 'disable', PGOPTIONS: ' ' },
  });
});

test('three processes that start at once share one server, which the last one stops', async () => {
  const children = [1, 2, 3].map(() => startEmbeddedChild(dataDir));
  const opened = await Promise.all(children.map((child) => child.opened));
  const [facts] = opened.map((answer) => answer.facts);
  homes.add(dirname(facts?.dataFolder ?? ''));
  expect(new Set(opened.map((answer) => answer.facts.url)).size).toBe(1);
  expect(opened.filter((answer) => answer.facts.startedHere)).toHaveLength(1);

  const [first, ...others] = children;
  await first?.close();
  expect(await query(facts?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all(others.map((child) => child.close()));
  expect(await findPostmaster(facts?.dataFolder ?? '')).toBeUndefined();
});

test('whoever meets the server stopping waits, and starts it again', async () => {
  await closedBefore();
  const started: boolean[] = [];
  const come = async () => {
    for (let round = 0; round < 2; round += 1) {
      const server = await open();
      started.push(server.startedHere);
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await server.close();
    }
  };
  await Promise.all([come(), come(), come()]);
  expect(started).toHaveLength(6);
  expect(started).toContain(true);
  expect(await findPostmaster(join(dataDir, 'postgres', 'data'))).toBeUndefined();
});

test('a client of any kind keeps the server, and the next command stops it', async () => {
  await closedBefore();
  const server = await open();
  const stranger = new pg.Client({ connectionString: server.url });
  stranger.on('error', () => undefined);
  await stranger.connect();
  await server.close();
  expect((await stranger.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await stranger.end();
  const next = await open();
  expect(next.startedHere).toBe(false);
  await next.close();
  expect(await findPostmaster(server.dataFolder)).toBeUndefined();
});

test('the server outlives Ctrl-C and SIGKILL of those who use it, and the next one adopts it', async () => {
  await closedBefore();
  const interrupted = startEmbeddedChild(dataDir);
  const { facts } = await interrupted.opened;
  homes.add(dirname(facts.dataFolder));
  const killed = startEmbeddedChild(dataDir);
  await killed.opened;
  await interrupted.kill('SIGINT', 'group');
  await killed.kill('SIGKILL');
  expect(await query(facts.url, 'select 1 as one')).toEqual([{ one: 1 }]);

  const adopted = await open();
  expect(adopted).toMatchObject({ startedHere: false, port: facts.port });
  await adopted.close();
  expect(await findPostmaster(facts.dataFolder)).toBeUndefined();
});

test('recovers what was committed when the server itself was killed', async () => {
  await closedBefore();
  const first = await open();
  await query(first.url, 'create table word_list as select 1 as one');
  const postmaster = await findPostmaster(first.dataFolder);
  // Frozen it looks alive and ready, so that it dies under the hands of the one that adopts it.
  process.kill(postmaster?.pid ?? 0, 'SIGSTOP');
  const opening = open();
  await new Promise((resolve) => setTimeout(resolve, 500));
  process.kill(postmaster?.pid ?? 0, 'SIGKILL');
  const second = await opening;
  expect(second.startedHere).toBe(true);
  expect(await query(second.url, 'select one from word_list')).toEqual([{ one: 1 }]);
  await second.close();
  await first.close();
});

test('starts when the pid of a dead server belongs to another program now, and its port to another one', async () => {
  const dataFolder = await closedBefore();
  const port = await lastPort();
  const squatter = createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  const file = `${process.pid}\n${dataFolder}\n1\n${port}\n\n127.0.0.1\n  1  1\nready   \n`;
  await writeFile(join(dataFolder, 'postmaster.pid'), file);
  // Postgres looks at pids of its own user only; as root this test still checks our own judgement.
  const second = await open();
  expect(second.startedHere).toBe(true);
  expect(second.port).not.toBe(port);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.close();
  await new Promise((resolve) => squatter.close(resolve));
});

test('makes the cluster anew when the process was killed while making it', async () => {
  const child = startEmbeddedChild(dataDir);
  const folder = join(dataDir, 'postgres');
  await expect
    .poll(() => readdir(folder).catch(() => []), { interval: 5, timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^data\.new-[\w-]+$/));
  await child.kill('SIGKILL');
  const server = await open();
  await server.close();
  expect(server.startedHere).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(['data', 'server.log']);
});

test('stops making the cluster when aborted, and leaves nothing of it', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const opening = openEmbeddedPostgres({
    dataDir,
    log: () => controller.abort(reason),
    signal: controller.signal,
  });
  expect(await failureOf(opening)).toBe(reason);
  expect(await readdir(join(dataDir, 'postgres'))).toEqual([]);
});

test('works in a long path with spaces, quotes and letters of any alphabet, and a log in JSON says so', async () => {
  const deep = ['deep '.repeat(40).trim(), 'deeper '.repeat(30).trim(), '.airank'];
  const odd = join(parent, `año 2026 "$HOME" 北京 'x'`, ...deep);
  const env = { AIRANK_DATA_DIR: odd, AIRANK_LOG_FORMAT: 'json', AIRANK_LOG_LEVEL: 'info' };
  const { exitCode, stderr } = await airank(['migrate'], { cwd: parent, env });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toMatch(/"event":"postgres\.note".*"note":"making a Postgres 18/);
});

test.each<[string, (cluster: string) => Promise<unknown>, RegExp]>([
  [
    'why the server does not start',
    (cluster) => appendFile(join(cluster, 'postgresql.conf'), '\nno_such_setting = 1\n'),
    /\/postgres\/server\.log:.*unrecognized configuration parameter "no_such_setting"/s,
  ],
  [
    'that the cluster is of another major version, naming both',
    (cluster) => writeFile(join(cluster, 'PG_VERSION'), '17\n'),
    /made by Postgres 17, .* brings Postgres 18/,
  ],
  [
    'that the password of the cluster is gone',
    () => rm(join(dataDir, 'password')),
    /\.airank\/password is missing/,
  ],
])('says %s', async (_, change, message) => {
  const cluster = await closedBefore();
  await change(cluster);
  const failure = await failureOf(open());
  expect(failure).toBeInstanceOf(WarehouseError);
  expect(failure.message).toMatch(message);
  expect(await readdir(cluster)).toContain('PG_VERSION');
});

test('says so when the data folder cannot be made', async () => {
  await writeFile(join(parent, 'file'), '');
  const failure = await failureOf(open(join(parent, 'file', '.airank')));
  expect(failure).toBeInstanceOf(WarehouseError);
  expect(failure.message).toContain('set DATABASE_URL');
});

test.runIf(isRoot)('as root, keeps the data outside of a folder that is closed to the server', async () => {
  await chmod(parent, 0o700);
  const first = await open();
  await query(first.url, 'create table word_list as select 1 as one');
  await first.close();
  const location = (await readFile(join(dataDir, 'location'), 'utf8')).trim();
  expect(dirname(first.dataFolder)).toBe(location);
  expect(lines.filter((line) => line.includes(location) && line.includes(parent))).toHaveLength(1);
  expect((await stat(parent)).mode & 0o777).toBe(0o700);

  const again = await open();
  expect(await query(again.url, 'select one from word_list')).toEqual([{ one: 1 }]);
  await again.close();

  // A copy of the clone does not share it; the clone under another name does.
  const copy = join(parent, 'copy');
  await promisify(execFile)('cp', ['-a', dataDir, copy]);
  expect((await failureOf(open(copy))).message).toMatch(
    new RegExp(`seems to be a copy of .* Delete ${copy}`),
  );
  await rm(copy, { recursive: true });
  await rename(dataDir, copy);
  await (await open(copy)).close();
  await rename(copy, dataDir);

  // The clone was deleted and made again in the same place: a new warehouse, beside the old one.
  await rm(dataDir, { recursive: true });
  const fresh = await open();
  expect(fresh.dataFolder).not.toBe(first.dataFolder);
  await fresh.close();
  expect(await readdir(first.dataFolder)).toContain('PG_VERSION');
});
