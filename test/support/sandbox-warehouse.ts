// A warehouse with some dates of the sandbox in it, for tests of what people see.
import { addDays, parseRunDate } from '../../src/core/run-date.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { syncOnce } from './sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The account is named `default`. @param from the first of `days` run dates */
export async function createSandboxWarehouse(from: string, days: number, clients = 2): Promise<TestDatabase> {
  const first = parseRunDate(from);
  if (first === undefined) throw new RangeError(from);
  const database = await createTestDatabase();
  const sandbox = await startSandbox({ clients, date: first, perMinute: 1_000_000, perDay: 1_000_000 });
  const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
  try {
    for (let day = 0; day < days; day += 1) {
      const runDate = addDays(first, day);
      sandbox.setDate(runDate);
      const streams = catalog.map(({ name }) => name);
      await syncOnce({ pool: database.pool, url: sandbox.url, runDate, streams, everyClient: true, env });
    }
  } finally {
    await sandbox.close();
  }
  return database;
}
