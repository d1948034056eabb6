// What a release is judged by, read from the clone.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packageRoot } from '../../src/core/package-root.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';
import { readMigrationFiles } from '../../src/install/migration-files.ts';
import { backupFile, readReleased } from '../upgrade/released-versions.ts';
import { migrationsOf } from '../upgrade/released-warehouse.ts';
import { type ChangelogSection, readChangelog } from './changelog.ts';

export interface ReleaseFacts {
  readonly branch: string;
  readonly commit: string;
  /** Files that differ from the commit, new ones too. */
  readonly changedFiles: readonly string[];
  readonly tags: readonly string[];
  readonly version: string;
  readonly lockVersion: string;
  readonly changelog: readonly ChangelogSection[];
  /** Whether CI was green for the commit; undefined: nobody said so. `not run`: the commit cannot go out as it is. */
  readonly ciIsGreen: boolean | 'not run' | undefined;
  /** What the warehouse of this version in test/upgrade lacks of the clone's; undefined: there is none. */
  readonly fixtureLacks: readonly string[] | undefined;
}

const versioned = z.object({ version: z.string() });

export async function readFacts(ciIsGreen: ReleaseFacts['ciIsGreen']): Promise<ReleaseFacts> {
  const { version } = versioned.parse(JSON.parse(await text('package.json')));
  return {
    branch: await git('branch', '--show-current'),
    commit: await git('rev-parse', '--short', 'HEAD'),
    changedFiles: lines(await git('status', '--porcelain')).map((line) => line.slice(3)),
    tags: lines(await git('tag', '--list')),
    version,
    lockVersion: versioned.parse(JSON.parse(await text('package-lock.json'))).version,
    changelog: readChangelog(await text('CHANGELOG.md')),
    ciIsGreen,
    fixtureLacks: await fixtureLacks(version),
  };
}

async function fixtureLacks(version: string): Promise<readonly string[] | undefined> {
  if (!existsSync(backupFile(version))) return undefined;
  const { backup, installed } = await readReleased(version);
  const applied = await migrationsOf(backup);
  const { functions, views } = await readCodeFiles();
  const migrations = (await readMigrationFiles()).map(({ name }) => name);
  const isThere = ({ name, hash }: { name: string; hash: string }) =>
    installed.code.includes(`'${name}', '${hash}'`);
  const code = [...functions, ...views].filter((file) => !isThere(file)).map(({ name }) => name);
  return [...migrations.filter((name) => !applied.includes(name)), ...code];
}

const text = (name: string) => readFile(join(packageRoot(), name), 'utf8');

const lines = (all: string) => all.split('\n').filter((line) => line !== '');

/** Without the end of the line alone: the first letters of a line mean something. */
async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: packageRoot() });
  return stdout.trimEnd();
}
