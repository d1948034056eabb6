// No package needs to run a script when it is installed, and npm 11 and later warn of each that is not named.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot(), name), 'utf8'));

test('package.json denies the install scripts of all packages that have some', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: true }> };
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => [path.replace(/^.*node_modules\//, ''), false] as const);
  expect(read('package.json').allowScripts).toEqual(Object.fromEntries(scripted));
});
