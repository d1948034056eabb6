// What package.json says of Node and of scripts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { nodeFault, nodeRange } from '../../src/node-version.ts';
import { nodeVersions } from '../nodes/versions.ts';

const read = (name: string) => readFileSync(join(packageRoot(), name), 'utf8');

test('a Node that will not do is told what is needed, what it is and what to do', () => {
  expect(nodeFault('21.7.3')).toBe(
    'Expected Node 20 (from 20.19), 22 (from 22.12), or 24 or newer, got 21.7.3. Install one (https://nodejs.org), then run the same command again',
  );
  const others = ['9.0.0', '16.1.0', '18.20.8', '20.18.3', '22.0.0', '22.11.0', '23.11.1'];
  expect(others.filter((version) => nodeFault(version) === undefined)).toEqual([]);
});

test('others will do', () => {
  const fine = ['20.19.0', '20.20.2', '22.12.0', '22.23.3', '24.0.0', '25.1.0', '26.10.0', '100.0.0'];
  expect(fine.flatMap((version) => nodeFault(version) ?? [])).toEqual([]);
});

test('package.json asks for the same, and README and CONTRIBUTING.md say it', () => {
  expect(JSON.parse(read('package.json')).engines).toEqual({ node: nodeRange });
  const [words = ''] = /Node 20 .* or newer/.exec(nodeFault('0.0.0') ?? '') ?? [];
  for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain(words);
});

test('each major that is supported is tested, with its npm, and the workflow names them all', () => {
  const majors = [...nodeVersions.keys()];
  const versions = [...nodeVersions.values()];
  expect(versions.flatMap(({ node }) => nodeFault(node) ?? [])).toEqual([]);
  expect(versions.map(({ node }) => node.split('.')[0])).toEqual(majors);
  expect(read('.github/workflows/ci.yml')).toContain(`node: [${majors.join(', ')}]`);
});

// No package needs to run a script when it is installed, and npm 11 and later warn of each that is not named.
test('package.json denies the install scripts of all packages that have some', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => [path.replace(/^.*node_modules\//, ''), false] as const);
  expect(JSON.parse(read('package.json')).allowScripts).toEqual(Object.fromEntries(scripted));
});
