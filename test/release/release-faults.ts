// What stands in the way of a release, with what to do about it.
import { newestVersion } from './changelog.ts';
import type { ReleaseFacts } from './release-facts.ts';

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
  if (ciIsGreen === 'not run') {
    return [`Expected CI to be green for ${commit}, and it was not run. Fix the others first`];
  }
  return [
    ciIsGreen === false
      ? `Expected CI to be green for ${commit}, got failures (above). Fix them and begin again`
      : `Expected CI to be green for ${commit}, and nobody said so. Add --ci run (about 12 minutes), or --ci green where it was`,
  ];
}
