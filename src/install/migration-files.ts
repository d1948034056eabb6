// The files of sql/migrations, and which of them a database has.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { packageRoot } from '../core/files.ts';
import type { Executor } from '../db/database.ts';

interface MigrationFile {
  readonly name: string;
  readonly text: string;
}

const migrationsFolder = () => join(packageRoot(), 'sql', 'migrations');

/** Returns the files in the order in which they are applied. */
export async function readMigrationFiles(folder = migrationsFolder()): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

export interface Migrations {
  readonly all: readonly string[];
  readonly done: ReadonlySet<string>;
}

/** @param folder of the files, default: those of this version */
export async function readMigrations(db: Executor, folder?: string): Promise<Migrations> {
  const all = (await readMigrationFiles(folder)).map(({ name }) => name);
  const known = await sql<{
    exists: boolean;
  }>`select to_regclass('sync.migration') is not null as exists`.execute(db);
  if (known.rows[0]?.exists !== true) return { all, done: new Set() };
  const done = await sql<{ name: string }>`select name from sync.migration`.execute(db);
  return { all, done: new Set(done.rows.map((row) => row.name)) };
}
