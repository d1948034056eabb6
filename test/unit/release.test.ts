// What npm run release judges, without a clone, a build or a tarball.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import {
  newestVersion,
  type ReleaseFacts,
  readChangelog,
  releaseFaults,
  tagText,
} from '../release/release-faults.ts';
import { packedFaults } from '../release/tarball.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-22)\n\nNew.\n\n- a\n\n## 0.1.0\n\nFirst.\n';

const good: ReleaseFacts = {
  branch: 'main',
  commit: 'abc1234',
  changedFiles: [],
  tags: ['v0.1.0'],
  version: '0.2.0',
  lockVersion: '0.2.0',
  changelog: readChangelog(changelog),
  ciIsGreen: true,
  fixtureLacks: [],
};

describe('the changelog', () => {
  it('is read by version, the newest first', () => {
    expect(readChangelog(changelog)).toEqual([
      { version: 'Unreleased', date: undefined, text: '' },
      { version: '0.2.0', date: '2026-11-22', text: 'New.\n\n- a' },
      { version: '0.1.0', date: undefined, text: 'First.' },
    ]);
  });

  it('begins with "Unreleased", and its newest version is that of the package', async () => {
    const sections = readChangelog(await readFile(join(packageRoot(), 'CHANGELOG.md'), 'utf8'));
    expect(sections[0]?.version).toBe('Unreleased');
    expect(newestVersion(sections)?.version).toBe(packageVersion());
  });

  it('gives the tag its text', () => {
    const [, newest = { version: '', date: undefined, text: '' }] = good.changelog;
    expect(tagText(newest)).toBe('airank-warehouse 0.2.0\n\nNew.\n\n- a\n');
  });
});

describe('what stands in the way of a release', () => {
  it('is nothing where all is well', () => {
    expect(releaseFaults(good)).toEqual([]);
  });

  it.each<[Partial<ReleaseFacts>, RegExp]>([
    [{ branch: 'other' }, /from main, got other\. Run: git switch main$/],
    [{ branch: '' }, /got no branch/],
    [{ changedFiles: ['a.ts', 'b.ts'] }, /changes in a\.ts and 1 more\. Commit or remove them$/],
    [
      { lockVersion: '0.1.0' },
      /package-lock\.json to have the version 0\.2\.0 .*, got 0\.1\.0\. Run: npm version/,
    ],
    [{ tags: ['v0.2.0'] }, /not released yet, got 0\.2\.0, whose tag v0\.2\.0 is there/],
    [{ changelog: readChangelog('## Unreleased\n\n## 0.1.0\n\na') }, /to be 0\.2\.0, .*, got 0\.1\.0\./],
    [{ changelog: [] }, /to be 0\.2\.0, as in package\.json, got none\./],
    [{ changelog: readChangelog('## Unreleased\n\n## 0.2.0\n\na') }, /to date 0\.2\.0 .*, got no date$/],
    [
      { changelog: readChangelog('## Unreleased\n\n## 0.2.0 (2026-11-22)') },
      /got nothing below its heading$/,
    ],
    [{ changelog: readChangelog('## 0.2.0 (2026-11-22)\n\na') }, /begin with an empty "Unreleased"/],
    [
      { changelog: readChangelog('## Unreleased\n\n- a\n- b\n\n## 0.2.0 (2026-11-22)\n\na') },
      /Expected nothing under "Unreleased" .*, got 2 lines\. Move them to 0\.2\.0$/,
    ],
    [{ ciIsGreen: undefined }, /green for abc1234, and nobody said so\. Add --ci run/],
    [{ ciIsGreen: false }, /green for abc1234, got failures/],
    [{ fixtureLacks: undefined }, /test\/upgrade\/0\.2\.0 .* got none\. Run: npm run release -- fixture/],
    [{ fixtureLacks: ['000010_writes', 'x', 'y'] }, /one that lacks 000010_writes and 2 more\. Run: npm run/],
  ])('is told with what to do: %j', (facts, text) => {
    expect(releaseFaults({ ...good, ...facts })).toEqual([expect.stringMatching(text)]);
  });

  it('is told all at once', () => {
    expect(releaseFaults({ ...good, branch: 'other', ciIsGreen: undefined, lockVersion: '1' })).toHaveLength(
      3,
    );
  });
});

describe('the files of a tarball', () => {
  const paths = [
    'dist/src/start.js',
    'dist/src/jobs/define-job.d.ts',
    'dist/THIRD-PARTY-LICENSES.txt',
    'sql/migrations/000001_create_tables.sql',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    '.env.example',
    'examples/own-job.ts',
  ];
  const files = (names: readonly string[]) => names.map((path) => ({ path, size: 1 }));

  it('are what users need', () => {
    expect(packedFaults(files(paths))).toEqual([]);
  });

  it.each(['src/main.ts', '.env', 'examples/.env', 'test/unit/x.js', 'dist/a.ts', 'node_modules/x/a.js'])(
    'never hold %s',
    (path) => {
      expect(packedFaults(files([...paths, path]))).toEqual([expect.stringContaining(path)]);
    },
  );

  it('lack none, and are not too large', () => {
    expect(packedFaults(files(paths.slice(1)))).toEqual([
      expect.stringMatching(/dist\/src\/start\.js in the/),
    ]);
    const large = [...files(paths), { path: 'dist/map', size: 20_000_000 }];
    expect(packedFaults(large)).toEqual([expect.stringMatching(/at most 15000000 bytes unpacked/)]);
  });
});
