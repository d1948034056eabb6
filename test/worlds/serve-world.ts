// Serves a world's bodies as the sandbox serves its own.
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Bodies } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createFilledDatabase, type TestDatabase } from '../support/test-database.ts';
import type { World } from './table.ts';

export interface ServedWorld {
  readonly baseUrl: string;
  /** The next run date. */
  readonly nextDay: () => void;
  readonly close: () => Promise<void>;
}

export const worldKey = 'test-key-123456';

export async function serveWorld(bodies: Bodies): Promise<ServedWorld> {
  let date = '2026-01-01' as RunDate;
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const sandbox = await startSandbox({
    ...limits,
    clients: 0,
    apiKeys: [worldKey],
    date,
    faults: { bodies },
  });
  return {
    baseUrl: sandbox.url,
    nextDay: () => {
      date = addDays(date, 1);
      sandbox.setDate(date);
    },
    close: () => sandbox.close(),
  };
}

/** A warehouse that synced a world on these run dates, once for all files that ask for it. */
export async function createWorldWarehouse(
  world: World,
  runDates: readonly string[],
  streams: readonly string[] = catalog.map(({ name }) => name),
): Promise<TestDatabase> {
  return await createFilledDatabase(
    `world ${world.name} ${streams}`,
    runDates,
    async ({ pool }, runDate, place) => {
      const served = await serveWorld(world);
      try {
        for (let day = 0; day < place; day += 1) served.nextDay();
        const request = { pool, url: served.baseUrl, runDate, streams, everyClient: true };
        const { exit_code } = await syncOnce(request);
        if (exit_code !== 0)
          throw new Error(`the sync of ${world.name} on ${runDate} ended with ${exit_code}`);
      } finally {
        await served.close();
      }
    },
  );
}
