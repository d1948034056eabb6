import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopLine } from '../../src/cli/process.ts';
import { oneFolder } from '../support/temp-folder.ts';

const cwd = oneFolder();

test('a stopped process says so in words', () => {
  expect(stopLine({ env: {}, cwd }, 'SIGINT')).toBe(
    '\nStopping; stored data is safe. Press again to quit at once.\n',
  );
});

test('where logs are JSON it is one line of JSON, also when a file says so', () => {
  const line = stopLine({ env: { AIRANK_LOG_FORMAT: 'json' }, cwd }, 'SIGTERM');
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toMatchObject({ event: 'process.stopping', signal: 'SIGTERM', level: 30 });
  writeFileSync(join(cwd, '.env'), 'AIRANK_LOG_FORMAT=json\n');
  expect(stopLine({ env: {}, cwd }, 'SIGTERM')).toMatch(/^\{.*\}\n$/);
});

test('settings that cannot be read do not hold up the stop', () => {
  expect(stopLine({ env: { AIRANK_LOG_FORMAT: 'xml' }, cwd }, 'SIGTERM')).toMatch(/^\nStopping/);
});
