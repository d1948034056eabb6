// What stands in the way of a release, with what to do about it, by what the clone shows.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packageRoot } from '../../src/core/files.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';
import { readMigrationFiles } from '../../src/install/migration-files.ts';
import { backupFile, readReleased } from '../upgrade/released-versions.ts';
import { migrationsOf } from '../upgrade/released-warehouse.ts';

interface ChangelogSection {
  /** `0.2.0`, or `Unreleased`. */
  readonly version: string;
  /** Undefined: it has none. */
  readonly date: string | undefined;
  readonly text: string;
}

export interface ReleaseFacts {
  readonly branch: string;
  readonly commit: string;
  /** Files that differ from the commit, new ones too. */
  readonly changedFiles: readonly string[];
  readonly tags: readonly string[];
  readonly version: string;
  readonly lockVersion: string;
  readonly changelog: readonly ChangelogSection[];
  /** Whether CI was green for the commit; undefined: nobody said so. */
  readonly ciIsGreen: boolean | undefined;
  /** What the warehouse of this version in test/upgrade lacks of the clone's; undefined: there is none. */
  readonly fixtureLacks: readonly string[] | undefined;
}

const versioned = z.object({ version: z.string() });

export async function readFacts(ciIsGreen: boolean | undefined): Promise<ReleaseFacts> {
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

/** As they stand there: the newest first. */
export function readChangelog(text: string): ChangelogSection[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [, version = '', date] = /^(.*?)(?: \((.*)\))?$/.exec(heading.trim()) ?? [];
      return { version, date, text: lines.join('\n').trim() };
    });
}

/** The newest that has a number. */
export function newestVersion(sections: readonly ChangelogSection[]): ChangelogSection | undefined {
  return sections.find(({ version }) => version !== 'Unreleased');
}

/** The message of the tag: a line, and what users notice. */
export function tagText({ version, text }: ChangelogSection): string {
  return `airank-warehouse ${version}\n\n${text}\n`;
}

/** One text each; none: it may go out. */
export function releaseFaults(facts: ReleaseFacts): string[] {
  const { branch, version, lockVersion, tags, changedFiles } = facts;
  const faults: string[] = [];
  if (branch !== 'main') {
    faults.push(`Expected to release from main, got ${branch || 'no branch'}. Run: git switch main`);
  }
  const [changed] = changedFiles;
  if (changed !== undefined) {
    const more = changedFiles.length === 1 ? '' : ` and ${changedFiles.length - 1} more`;
    faults.push(`Expected a clean tree, got changes in ${changed}${more}. Commit or remove them`);
  }
  if (lockVersion !== version) {
    faults.push(
      `Expected package-lock.json to have the version ${version} of package.json, got ${lockVersion}. ` +
        `Run: npm version --no-git-tag-version --allow-same-version ${version}`,
    );
  }
  if (tags.includes(`v${version}`)) {
    faults.push(
      `Expected a version that is not released yet, got ${version}, whose tag v${version} is there. ` +
        'Raise it: npm version --no-git-tag-version X.Y.Z',
    );
  }
  return [...faults, ...changelogFaults(facts), ...fixtureFaults(facts), ...ciFaults(facts)];
}

function changelogFaults({ changelog, version }: ReleaseFacts): string[] {
  const newest = newestVersion(changelog);
  if (newest?.version !== version) {
    return [
      `Expected the newest version in CHANGELOG.md to be ${version}, as in package.json, got ${newest?.version ?? 'none'}. ` +
        `Move what stands under "Unreleased" to "${version} (date)"`,
    ];
  }
  const faults: string[] = [];
  if (newest.date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(newest.date)) {
    faults.push(
      `Expected CHANGELOG.md to date ${version} as in "## ${version} (2026-04-03)", got ${newest.date ?? 'no date'}`,
    );
  }
  if (newest.text === '') {
    faults.push(`Expected CHANGELOG.md to say what ${version} changes, got nothing below its heading`);
  }
  const [first] = changelog;
  if (first?.version !== 'Unreleased') {
    faults.push('Expected CHANGELOG.md to begin with an empty "Unreleased", got none. Put it on top');
  } else if (first.text !== '') {
    faults.push(
      `Expected nothing under "Unreleased" in CHANGELOG.md, got ${first.text.split('\n').length} lines. Move them to ${version}`,
    );
  }
  return faults;
}

function fixtureFaults({ fixtureLacks, version }: ReleaseFacts): string[] {
  const fix = 'Run: npm run release -- fixture, and commit it';
  if (fixtureLacks === undefined) {
    return [
      `Expected test/upgrade/${version} to hold a warehouse of this version for later upgrades, got none. ${fix}`,
    ];
  }
  const [first, ...more] = fixtureLacks;
  if (first === undefined) return [];
  return [
    `Expected test/upgrade/${version} to hold a warehouse of this version as it is now, got one that lacks ` +
      `${first}${more.length === 0 ? '' : ` and ${more.length} more`}. ${fix}`,
  ];
}

function ciFaults({ ciIsGreen, commit }: ReleaseFacts): string[] {
  if (ciIsGreen === true) return [];
  return [
    ciIsGreen === false
      ? `Expected CI to be green for ${commit}, got failures (above). Fix them and begin again`
      : `Expected CI to be green for ${commit}, and nobody said so. Add --ci run (about 12 minutes, once nothing else stands in the way), or --ci green where it was`,
  ];
}
