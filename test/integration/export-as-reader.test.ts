// Exports read as the role of AIRANK_READER_URL where it is set, and need nothing else then.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { grantBi } from '../../src/export/grant-bi.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
const role = `export_reader_${process.pid}`;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'airank-export-'));
  const db = createDatabase(database.pool);
  await publishRecords(db, {
    stream: 'products',
    clientId: '7',
    runDate: '2026-03-01',
    records: [{ id: 1, nombre: 'uno' }],
  });
  await publishRecords(db, {
    stream: 'clientes',
    runDate: '2026-03-01',
    records: [{ id: '7', nombre: 'Luna' }],
  });
  await refreshViews(db);
  await grantBi(db, { name: role, api: false, password: 'reader-1', statementTimeoutMs: 20_000 });
  await database.pool.query(
    `create view bi.bound as select current_setting('statement_timeout') as milliseconds, current_user as role`,
  );
});

afterAll(async () => {
  await database.pool.query(`drop owned by ${role}`);
  await database.pool.query(`drop role ${role}`);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string, env = {}) => {
  const reader = new URL(database.url);
  [reader.username, reader.password] = [role, 'reader-1'];
  // Nothing listens at the address of the warehouse.
  const warehouse = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  return airank(args.split(' '), {
    cwd: folder,
    env: { ...warehouse, AIRANK_READER_URL: reader.href, ...env },
  });
};

it('an export reads as the role of AIRANK_READER_URL, and as long as it takes', async () => {
  expect(await run('export products --client 7 --format ndjson')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('"account":'),
  });
  expect(await run('export bound')).toMatchObject({ exitCode: 0, stdout: `milliseconds,role\n0,${role}\n` });
});

it('an export of a client that nobody is ends with 2 and the nearest names', async () => {
  const said = await run('export products --client 77');
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(
    /^Expected --client to be the identifier or name of a client, got "77"\. .*Luna \(7\)/,
  );
});

it('an export of what the role may not read names the command that lets it', async () => {
  expect(await run('export api.products')).toMatchObject({
    exitCode: 1,
    stderr:
      'The role of AIRANK_READER_URL is not allowed to read this: permission denied for schema api. ' +
      'To let it read schema api too: airank grant-bi ROLE --api\n',
  });
});
