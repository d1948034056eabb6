// Installs sql/bi/*.sql: each file one view, in the order of the file names, again only when its text changed.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { packageRoot } from '../../core/package-root.ts';
import type { Executor } from '../connection/database.ts';
import { textHash } from '../tables/typed-tables.ts';
import { installedHashes, lockBiViews, noteInstalled, refreshMapping } from './refresh-mapping.ts';

/** Makes the views of bi_map and bi. Safe to call at every start and from several processes. */
export async function installBiViews(db: Executor): Promise<void> {
  await refreshMapping(db);
  const folder = join(packageRoot(), 'sql', 'bi');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  await db.transaction().execute(async (tx) => {
    await lockBiViews(tx);
    const hashes = await installedHashes(tx);
    for (const [index, text] of texts.entries()) {
      const file = files[index] ?? '';
      const hash = textHash(text);
      if (hashes.get(file) === hash) continue;
      await sql
        .raw(text)
        .execute(tx)
        .catch((error: unknown) => {
          throw new WarehouseError(
            `sql/bi/${file} cannot be installed: ${messageOf(error)}`,
            {},
            { cause: error },
          );
        });
      await noteInstalled(tx, file, hash);
    }
  });
}
