// Whoever waits for a lock of the warehouse waits for an end, and is told who has it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageOf } from '../../src/core/errors.ts';
import { createDatabase } from '../../src/db/database.ts';
import { lockHolders, namingHolders } from '../../src/db/lock-holders.ts';
import { createPool } from '../../src/db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a wait for a lock ends, and its error names the session that has it', async () => {
  const analyst = createPool({ connectionString: database.url, max: 1, applicationName: 'DataGrip' });
  const session = await analyst.connect();
  await session.query('begin; lock table sync.batch in access exclusive mode');
  const {
    rows: [{ pid, role } = { pid: 0, role: '' }],
  } = await session.query<{ pid: number; role: string }>(
    'select pg_backend_pid() as pid, current_user as role',
  );
  const pool = createPool({
    connectionString: database.url,
    max: 1,
    applicationName: 'airank-test',
    settings: { lock_timeout: '50ms' },
  });
  const error = await pool.query('select from sync.batch').catch((thrown: unknown) => thrown);
  await pool.end();
  expect(messageOf(await namingHolders(createDatabase(database.pool), error))).toMatch(
    new RegExp(
      `held by: pid ${pid} \\(role ${role}, DataGrip, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\)`,
    ),
  );
  await session.query('rollback');
  session.release();
  await analyst.end();
  expect(await lockHolders(createDatabase(database.pool))).toBe('nobody any more');
});
