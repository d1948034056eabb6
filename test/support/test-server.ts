// A Postgres for tests: the one of TEST_DATABASE_URL, else the embedded one. Never none: tests are not skipped for want
// of a database.

import { access, chmod, constants, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { findProgram } from '../../src/db/embedded/processes.ts';

interface TestServer {
  /** Connection string of a role that may create databases. */
  readonly adminUrl: string;
  /** Name of the server, for one line of output. */
  readonly description: string;
  stop(): Promise<void>;
}

const folderPrefix = 'airank-test-';
const memoryFolder = '/dev/shm';
/** Several times what a whole run has ever held. */
const roomBytes = 4e9;

export async function startTestServer(log: (line: string) => void): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    return { adminUrl: given, description: 'the server of TEST_DATABASE_URL', stop: async () => undefined };
  }
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
