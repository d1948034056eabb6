// The files of sql/migrations, and which of them a database has.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { packageRoot } from '../../core/package-root.ts';

export interface MigrationFile {
  readonly name: string;
  readonly text: string;
}

/** In order. */
export async function readMigrationFiles(
  folder = join(packageRoot(), 'sql', 'migrations'),
): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

/** In order. @param client of a database that has them noted */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from sync.migration order by name');
  return rows.map((row) => row.name);
}
