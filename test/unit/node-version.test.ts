import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/core/package-root.ts';
import { nodeFault } from '../../src/node-version.ts';

test('a Node that is too old is told what is needed, what it is and what to do', () => {
  expect(nodeFault('18.20.8')).toBe(
    'Expected Node 20.19 or newer, got 18.20.8. Install one (https://nodejs.org), then run the same command again',
  );
  expect(['20.18.3', '9.0.0', '16.1.0'].every((version) => nodeFault(version) !== undefined)).toBe(true);
});

test('newer ones will do', () => {
  const fine = ['20.19.0', '20.20.2', '21.0.0', '22.1.0', '100.0.0'];
  expect(fine.flatMap((version) => nodeFault(version) ?? [])).toEqual([]);
});

test('package.json asks for the same', () => {
  const { engines } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const least = engines.node.replace('>=', '');
  expect(nodeFault('0.0.0')).toContain(`Node ${least} or newer`);
});
