// Checks what dashboards and reports say where there is nothing to read, or where they have more rights than they need.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-reader-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (url: string, args: readonly string[], env = {}) =>
  airank(args, { cwd: folder, env: { DATABASE_URL: url, AIRANK_DATA_DIR: folder, ...env } });

describe('a database without a warehouse', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createEmptyTestDatabase();
  });
  afterAll(() => empty.drop());

  it.each([[['dashboard', '--output', 'x.html']], [['report', '7']]])(
    '%j names the command that brings data in, in one line',
    async (args) => {
      expect(await run(empty.url, args)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'There is no warehouse in this database yet. Run: airank sync\n',
      });
      expect(await run('', args, { AIRANK_READER_URL: empty.url })).toEqual({
        exitCode: 2,
        stdout: '',
        stderr:
          'The warehouse does not have what this version reads: relation "bi.clients" does not exist. Run: airank migrate\n',
      });
    },
  );
});

describe('a role that may neither make roles nor take one on', () => {
  let database: TestDatabase;
  const plain = `with_reader_${process.pid}`;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(`create role ${plain} login password 'plain-1'`);
    await database.pool.query(`grant usage on schema bi to ${plain}`);
    await database.pool.query(`grant select on all tables in schema bi to ${plain}`);
  });
  afterAll(async () => {
    await database.pool.query(`drop owned by ${plain}`);
    await database.pool.query(`drop role ${plain}`);
    await database.drop();
  });

  it('is named with what its sessions may, and how to have less', async () => {
    const url = new URL(database.url);
    [url.username, url.password] = [plain, 'plain-1'];
    const { stderr } = await run(url.href, ['dashboard', '--client', '7', '--output', 'x.html']);
    const [line, answer] = stderr.split('\n');
    expect(line).toMatch(
      /^Reading as the role of DATABASE_URL, in read-only sessions: permission denied .*\. For a role that can only read bi, run airank grant-bi ROLE and set AIRANK_READER_URL$/,
    );
    expect(answer).toMatch(/^Expected a client of bi.clients, got "7"/);
    expect((await run(database.url, ['dashboard', '--client', '7', '--output', 'x.html'])).stderr).toMatch(
      /^Expected a client/,
    );
  });
});
