import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stopLine } from '../../src/cli/process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'airank-stop-'));
afterAll(() => rmSync(cwd, { recursive: true }));

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
