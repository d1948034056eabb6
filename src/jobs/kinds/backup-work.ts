// What a job of kind backup does: the whole warehouse into a file of its folder, by date; older files of its own go.
import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { backUpToFile } from '../../retention/backup/backup-to-file.ts';
import type { BackupNote } from '../../status/last-backup.ts';
import type { CurrentSettings } from '../schedule/current-settings.ts';
import { zoneOf } from '../schedule/overdue.ts';
import type { OtherWork } from '../schedule/run-other-job.ts';

const ownFile = /^airank-\d{4}-\d{2}-\d{2}\.gz$/;

export function backupWork({ config }: CurrentSettings, pool: pg.Pool): OtherWork['backup'] {
  return async (job, _, signal) => {
    const folder = resolve(job.folder);
    const isThere = await stat(folder)
      .then((found) => found.isDirectory())
      .catch(() => false);
    // Not made: it may be a disc that is not mounted.
    if (!isThere) {
      throw new ConfigError([
        `Expected the folder of job ${job.name} to be there, got "${folder}". Make it on the machine of the worker, or mount it`,
      ]);
    }
    const file = join(folder, `airank-${runDateIn(zoneOf(job, config.timeZone), new Date())}.gz`);
    const { contents, bytes } = await backUpToFile(pool, file, file, () => signal.throwIfAborted());
    const backup: BackupNote = { file, bytes, made_at: contents.header.made_at };
    return { missing: undefined, summary: { backup, removed: await removeOlder(folder, job.keep) } };
  };
}

/** Only once the new one is whole. Files of other names stay. */
async function removeOlder(folder: string, keep: number | undefined): Promise<readonly string[]> {
  if (keep === undefined) return [];
  const older = (await readdir(folder))
    .filter((name) => ownFile.test(name))
    .sort()
    .reverse()
    .slice(keep);
  for (const name of older) await rm(join(folder, name), { force: true });
  return older;
}
