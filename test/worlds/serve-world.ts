// Serves a world's bodies as the sandbox serves its own.
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Bodies } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';

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
