// A warehouse with some dates of the sandbox in it, for tests of what people see.
import { addDays, parseRunDate } from '../../src/core/run-date.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { syncOnce } from './sync-in-process.ts';
import { createFilledDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';

interface SandboxDates {
  readonly from: string;
  /** Number of run dates in a row, from the first on; or how many days after it each of them lies. */
  readonly days: number | readonly number[];
  /** Default 2. */
  readonly clients?: number;
  /** Default: all of the catalog. */
  readonly streams?: readonly string[];
  /** Others of the sandbox. */
  readonly sandbox?: SandboxOptions;
  /** A server that stands before the sandbox. */
  readonly before?: (sandbox: Sandbox) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Runs after each run date. */
  readonly onDate?: (database: TestDatabase) => Promise<void>;
}

/** The account is named `default`. */
export async function createSandboxWarehouse(options: SandboxDates): Promise<TestDatabase> {
  const { days: wanted, before, onDate, clients = 2, from, streams, sandbox } = options;
  const days = typeof wanted === 'number' ? [...Array(wanted).keys()] : wanted;
  if (before === undefined && onDate === undefined) {
    const key = JSON.stringify({ clients, from, streams, sandbox });
    return await createFilledDatabase(key, days, (database, day) => syncDates(database, options, [day]));
  }
  const database = await createTestDatabase();
  await syncDates(database, options, days);
  return database;
}

async function syncDates(
  database: TestDatabase,
  options: SandboxDates,
  days: readonly number[],
): Promise<void> {
  const { from, clients = 2, streams = catalog.map(({ name }) => name), before } = options;
  const first = parseRunDate(from);
  if (first === undefined) throw new RangeError(from);
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  // A small world: the two clients with most questions have six, and answers begin four weeks before.
  const world = { size: 0.25, asked: addDays(first, -28) };
  const sandbox = await startSandbox({ clients, date: first, ...world, ...limits, ...options.sandbox });
  const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
  const server = await before?.(sandbox);
  const url = server?.url ?? sandbox.url;
  try {
    for (const day of days) {
      const runDate = addDays(first, day);
      sandbox.setDate(runDate);
      await syncOnce({ pool: database.pool, url, runDate, streams, everyClient: true, env });
      await options.onDate?.(database);
    }
  } finally {
    await server?.close();
    await sandbox.close();
  }
}
