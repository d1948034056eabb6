// A Postgres for tests: the one of TEST_DATABASE_URL, else a container, else the embedded one. Never
// none: tests are not skipped for want of a database.

import { access, chmod, constants, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { request } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { messageOf } from '../../src/core/errors.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { findProgram } from '../../src/db/embedded/processes.ts';

const timeoutMs = 2_000;

/**
 * Finds where a container engine answers. It asks quickly, as testcontainers takes long to find out. Undefined: none
 * does.
 */
async function findContainerEngine(): Promise<string | undefined> {
  for (const address of candidates()) {
    if (await answers(address)) return address;
  }
  return undefined;
}

function candidates(): string[] {
  const host = process.env['DOCKER_HOST'];
  if (host) return [host];
  if (process.platform === 'win32') return ['npipe:////./pipe/docker_engine'];
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
  ].map((path) => `unix://${path}`);
}

function answers(address: string): Promise<boolean> {
  const [, scheme = '', rest = ''] = /^(\w+):\/\/(.*)$/.exec(address) ?? [];
  const target =
    scheme === 'unix' || scheme === 'npipe'
      ? { socketPath: rest }
      : { host: rest.replace(/:\d+.*$/, ''), port: Number(/:(\d+)/.exec(rest)?.[1] ?? 2375) };
  // An encrypted engine answers a plain request with 400, which is an answer too.
  return new Promise((resolve) => {
    const asked = request({ ...target, path: '/_ping', timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(true);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

interface TestServer {
  /** Connection string of a role that may create databases. */
  readonly adminUrl: string;
  /** Name of the server, for one line of output. */
  readonly description: string;
  stop(): Promise<void>;
}

const image = 'postgres:18';
const folderPrefix = 'airank-test-';
const memoryFolder = '/dev/shm';
/** Several times what a whole run has ever held. */
const roomBytes = 4e9;

export async function startTestServer(log: (line: string) => void): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    return { adminUrl: given, description: 'the server of TEST_DATABASE_URL', stop: async () => undefined };
  }
  const engine = await findContainerEngine();
  if (engine !== undefined) {
    try {
      return await startContainer();
    } catch (error) {
      log(`a container engine answers at ${engine}, but ${image} does not start: ${messageOf(error)}`);
    }
  }
  return await startEmbedded(log);
}

async function startContainer(): Promise<TestServer> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(image)
    .withCommand([
      'postgres',
      '-c',
      'fsync=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
    ])
    .start();
  return {
    adminUrl: container.getConnectionUri(),
    description: `a container of ${image}`,
    stop: async () => {
      await container.stop();
    },
  };
}

async function startEmbedded(log: (line: string) => void): Promise<TestServer> {
  await sweepAbandoned();
  const folder = await mkdtemp(join(await fastFolder(), `${folderPrefix}${process.pid}-`));
  // As root another user runs the server and has to get through.
  await chmod(folder, 0o711);
  const open = () => openEmbeddedPostgres({ dataDir: folder, database: 'postgres', log });
  const first = await open();
  await set(first.url, {
    ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    // Hundreds of databases that live for seconds are not worth its visits.
    autovacuum: 'off',
    // These take a tenth of its CPU time, and hold from the next start on.
    ...{ io_method: 'sync', wal_level: 'minimal', max_wal_senders: '0' },
  });
  await first.close();
  const server = await open();
  return {
    adminUrl: server.url.replace(/\?.*/, ''),
    description: `an embedded Postgres ${server.version} in ${dirname(server.dataFolder)}`,
    stop: async () => {
      await server.close();
      await rm(dirname(server.dataFolder), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** In memory, where there is room: making and removing the files of hundreds of databases is work for a disc. */
export async function fastFolder(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize > roomBytes ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Changes settings in a way that survives the next start. */
export async function set(url: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`alter system set ${name} = ${value}`);
    }
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}

/** Stops and removes the servers of test runs that were killed. */
async function sweepAbandoned(): Promise<void> {
  const found = [tmpdir(), memoryFolder].map(async (folder) =>
    (await readdir(folder).catch(() => [])).map((name) => ({ name, folder: join(folder, name) })),
  );
  for (const { name, folder } of (await Promise.all(found)).flat()) {
    const pid = Number(new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1]);
    if (!Number.isInteger(pid) || (await findProgram(pid)) !== undefined) continue;
    try {
      const server = await openEmbeddedPostgres({ dataDir: folder, log: () => undefined });
      await server.close();
      await rm(dirname(server.dataFolder), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another user's, or beyond repair: not this run's business.
    }
  }
}
