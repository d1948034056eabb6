// A Postgres of one test alone, which may end in any way and come back on the same port.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { findProgram } from '../../src/db/embedded/processes.ts';
import { isPortFree } from '../../src/db/embedded/server.ts';
import { fastFolder, set } from './test-server.ts';

/** `fast` ends every session, `immediate` says no goodbye, `killed` leaves that to the next start. */
export type HowItEnds = 'fast' | 'immediate' | 'killed';

export interface RestartablePostgres {
  /** Connection string of the database `postgres`, with a role that may create others. */
  readonly url: string;
  readonly dataFolder: string;
  /** Resolves when it is gone. */
  end(how: HowItEnds): Promise<void>;
  start(): Promise<void>;
  /** Ends every connection of the program; the server goes on. */
  cutAll(): Promise<void>;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const;
const pollMs = 20;

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  // By this name the next run of tests finds and ends it, where this one is killed (test-server.ts).
  const folder = await mkdtemp(join(await fastFolder(), `airank-test-${process.pid}-`));
  await chmod(folder, 0o711);
  await writeFile(join(folder, 'port'), `${await lowPort()}\n`);
  const open = () => openEmbeddedPostgres({ dataDir: folder, database: 'postgres', log: () => undefined });
  let server = await open();
  // Programs end here and no machine does: what was committed stays, because it was written, on a disc or not.
  await set(server.url, { fsync: 'off', full_page_writes: 'off' });
  const { url, dataFolder } = server;
  return {
    url,
    dataFolder,
    async end(how) {
      const pid = Number((await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, signals[how]);
      while ((await findProgram(pid)) !== undefined) await pause(pollMs);
      await server.close();
    },
    async start() {
      server = await open();
      if (server.url !== url) throw new Error(`The port of ${url} was taken while the server was away`);
    },
    async cutAll() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'airank-%'`,
      );
      await client.end();
    },
    async close() {
      await server.close();
      await rm(dirname(dataFolder), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port below those of outgoing connections, one of which might take it, or meet itself there, while nobody listens. */
export async function lowPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isPortFree(port)) return port;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
