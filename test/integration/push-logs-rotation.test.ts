// Logs that are rotated, cut, compressed and written to between pushes: every line comes once, none is lost.
import { appendFile, copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { noteNumberedLines } from '../support/numbered-lines.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { numberedLine } from '../writes/numbered-log.ts';
import { withoutWriteLimits } from '../writes/slow-book.ts';

const nowMs = Date.now();
let database: TestDatabase;
let sandbox: Sandbox;
let folder: string;
let number = 0;
/** Numbers of the lines that this test wrote. */
let numbers: number[];
/** Lines that earlier tests had sent twice. */
let repeatedBefore: number;
const numbered = noteNumberedLines();

beforeAll(async () => {
  database = await createTestDatabase();
  await withoutWriteLimits(database.pool);
  const limits = { perMinute: 1_000_000, perDay: 1_000_000, uploadsPerHour: 1_000_000 };
  sandbox = await startSandbox({ clients: 1, ...limits, faults: numbered });
});

beforeEach(async () => {
  numbers = [];
  repeatedBefore = numbered.repeated.length;
  folder = await mkdtemp(join(tmpdir(), 'airank-rotation-'));
  return () => rm(folder, { recursive: true, force: true });
});

afterAll(async () => {
  await sandbox?.close();
  await database?.drop();
});

const at = (name: string) => join(folder, name);

/** New lines of bots, whole. */
function lines(count: number): string {
  return Array.from({ length: count }, () => {
    number += 1;
    numbers.push(number);
    return `${numberedLine(number, 'bot', nowMs)}\n`;
  }).join('');
}

async function push(...names: string[]) {
  const files = names.map((name) => (name.startsWith('-') ? name : at(name)));
  return await airank(['push', 'logs', ...files], {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      AIRANK_BASE_URL: sandbox.url,
      AIRANK_API_KEY: 'sandbox-key',
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: '1000000',
      AIRANK_DATA_DIR: at('data'),
    },
  });
}

/** Finds the lines of this test that never came, and counts those that came twice. */
function look() {
  return {
    missing: numbers.filter((one) => !numbered.has(one)),
    repeated: numbered.repeated.length - repeatedBefore,
  };
}

const allOnce = { missing: [], repeated: 0 };
const fine = { exitCode: 0 };

test('a log that was copied and truncated goes on as another one, shorter or longer than it was', async () => {
  await writeFile(at('access.log'), lines(30));
  expect(await push('access.log')).toMatchObject(fine);
  for (const more of [3, 60]) {
    await appendFile(at('access.log'), lines(5));
    await copyFile(at('access.log'), at(`access.log.${more}`));
    await truncate(at('access.log'));
    await appendFile(at('access.log'), lines(more));
    const said = await push('access.log', `access.log.${more}`);
    expect(said).toMatchObject(fine);
    if (more === 3)
      expect(said.stdout).toMatch(
        /access\.log: was truncated or replaced since the last push, so it is read from its start/,
      );
    expect(look()).toEqual(allOnce);
  }
});

test('a log that was compressed before all of it was sent goes on in the archive', async () => {
  const first = lines(30);
  await writeFile(at('access.log'), first);
  expect(await push('access.log')).toMatchObject(fine);
  await writeFile(at('access.log.2.gz'), gzipSync(first + lines(20)));
  await rm(at('access.log'));
  expect(await push('access.log.2.gz')).toMatchObject(fine);
  expect(look()).toEqual(allOnce);
  expect((await push('access.log.2.gz')).stdout).toMatch(/nothing new/);
  expect(look()).toEqual(allOnce);
});

test('another log with the same first lines is another log', async () => {
  const same = lines(40);
  await writeFile(at('a.log'), same + lines(10));
  expect(await push('a.log')).toMatchObject(fine);
  const before = sandbox.stats().received.lines;
  await writeFile(at('b.log'), same + lines(30));
  expect(await push('b.log')).toMatchObject(fine);
  // It repeats the lines that it shares: nobody can tell that they are not its own.
  expect(look().missing).toEqual([]);
  expect(sandbox.stats().received.lines - before).toBe(70);
});

test('a truncated file that begins as before and has grown past its old end is another log', async () => {
  const same = lines(40);
  await writeFile(at('access.log'), same + lines(10));
  expect(await push('access.log')).toMatchObject(fine);
  await truncate(at('access.log'));
  await appendFile(at('access.log'), same + lines(30));
  expect(await push('access.log')).toMatchObject(fine);
  expect(look().missing).toEqual([]);
});

test('a copy cut short sends nothing and says so; --new sends it', async () => {
  const whole = lines(60);
  await writeFile(at('a.log'), whole);
  expect(await push('a.log')).toMatchObject(fine);
  const before = sandbox.stats().received.lines;
  await writeFile(at('copy.log'), whole.slice(0, whole.indexOf('\n', whole.length - 2_000) + 1));
  expect(await push('copy.log')).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/--new/) });
  expect(sandbox.stats().received.lines).toBe(before);
  expect(await push('copy.log', '--new')).toMatchObject(fine);
  expect(sandbox.stats().received.lines).toBeGreaterThan(before);
});

test('a last line that is not finished waits, wherever it is cut', async () => {
  const [text, more] = [lines(12), lines(3).replaceAll('/seite/', '/señal/')];
  await writeFile(at('access.log'), text);
  const bytes = Buffer.from(more);
  // In the middle of the character of two bytes too.
  const cuts = [bytes.indexOf('ñ') + 1, bytes.length - 1, bytes.length];
  let written = 0;
  for (const cut of cuts) {
    await appendFile(at('access.log'), bytes.subarray(written, cut));
    written = cut;
    expect(await push('access.log')).toMatchObject(fine);
  }
  expect(look()).toEqual(allOnce);
});

test('a log of which the first line is not finished waits, and others are sent', async () => {
  const first = lines(1);
  const cut = first.indexOf(' "-"');
  await writeFile(at('a.log'), first.slice(0, cut));
  await writeFile(at('b.log'), lines(3));
  const said = await push('a.log', 'b.log');
  expect(said).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^a\.log.*\n.*\n {2}the last line is not complete yet/),
  });
  await appendFile(at('a.log'), first.slice(cut));
  expect(await push('a.log')).toMatchObject(fine);
  expect(look()).toEqual(allOnce);
});
