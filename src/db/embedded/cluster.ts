// Makes the cluster: all of it or nothing. It is made under another name and renamed when it is
// finished, so a folder named `data` is never made again and never deleted.
import { randomBytes } from 'node:crypto';
import { constants, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WarehouseError } from '../../core/errors.ts';
import type { Binaries } from './binaries.ts';
import { assertDiscSpace } from './disc-space.ts';
import { runPostgresProgram } from './run-postgres-program.ts';
import type { ServerHome } from './server-home.ts';
import { includeLine, writeFileFor } from './settings.ts';

/** The only role of the cluster, a superuser. */
export const role = 'airank';

const draftPrefix = 'data.new-';
const clusterBytes = 100 * 2 ** 20;

/** True when the cluster exists. An error when it is of another major version than the programs. */
export async function hasCluster(home: ServerHome, binaries: Pick<Binaries, 'version'>): Promise<boolean> {
  const text = await readFile(join(home.dataFolder, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (text === undefined) return false;
  const [major] = binaries.version.split('.');
  if (text.trim() === major) return true;
  throw new WarehouseError(
    `The warehouse in ${home.dataFolder} was made by Postgres ${text.trim()}, and this version of airank ` +
      `brings Postgres ${major}, which cannot read it. Run the version of airank that made it, or a ` +
      `Postgres ${text.trim()} of your own on that folder, and set DATABASE_URL; or move the folder away ` +
      'to begin with an empty warehouse.',
  );
}

/** Makes the cluster. Call under the start/stop lock. */
export async function createCluster(
  home: ServerHome,
  binaries: Binaries,
  password: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await removeDrafts(home.folder);
  await assertDiscSpace(home.folder, clusterBytes);
  const draft = `${draftPrefix}${randomBytes(4).toString('hex')}`;
  const passwordFile = join(home.folder, `${draft}.password`);
  try {
    await writeFileFor(passwordFile, `${password}\n`, home.user);
    // Relative paths: the folder's own name may be long or hold any character.
    const result = await runPostgresProgram(
      binaries.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${role}`,
        `--pwfile=${draft}.password`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Postgres' own C.UTF-8: knows upper and lower case of all letters, sorts by code point, and
        // is the same on every machine, so that no system update ever changes the order of an index.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      { user: home.user, folder: home.folder, signal },
    );
    signal?.throwIfAborted();
    if (result.code !== 0) {
      await assertDiscSpace(home.folder, 2 ** 24);
      throw new WarehouseError(
        `Postgres could not make a cluster in ${home.folder} (initdb, ` +
          `${result.code === undefined ? 'ended by a signal' : `exit code ${result.code}`}):\n` +
          `${result.output.trim().split('\n').slice(-8).join('\n')}\n` +
          'Fix what it says, or set DATABASE_URL to a Postgres of your own.',
      );
    }
    await appendLine(join(home.folder, draft, 'postgresql.conf'), includeLine);
    await rename(join(home.folder, draft), home.dataFolder);
  } finally {
    await removeDrafts(home.folder);
  }
}

/** Appends to a file of the server's user. As root, a link must not lead out of its folder. */
async function appendLine(path: string, line: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags);
  try {
    await file.writeFile(`\n${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the files of an earlier try whose process was killed. */
async function removeDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    // An orphaned initdb may still be writing into it, and fails soon; the rest goes next time.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
