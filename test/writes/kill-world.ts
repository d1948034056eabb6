// Sets up what the histories of questions and measurements share: a service that counts, a slow line to it, a folder, a
// slow book.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { FaultOptions } from '../../src/sandbox/faults.ts';
import type { ChildEnvironment } from './airank-child.ts';
import { type CountingService, startCountingService } from './counting-service.ts';
import { slowBook } from './slow-book.ts';
import { startSlowLine } from './slow-line.ts';

export interface KillWorldOptions {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly seed: number;
  readonly kills: number;
  /** Disturbances of the service beside the kills. */
  readonly faults?: FaultOptions;
  readonly onKill?: (told: string) => void;
}

export interface KillWorld {
  readonly environment: ChildEnvironment;
  readonly service: CountingService;
  /** Waits until everything that a dead process sent has come as far as it ever will. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** A request of questions is on its way for some 30 ms. */
const lineBytesPerMs = 30;

export async function makeKillWorld(
  { databaseUrl, pool, seed, faults }: KillWorldOptions,
  tables: readonly string[],
): Promise<KillWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-kills-'));
  const service = await startCountingService(seed, { delayMs: [0, 40], ...faults });
  const line = await startSlowLine(service.port, lineBytesPerMs);
  await slowBook(pool, tables, 15);
  return {
    environment: { databaseUrl, apiUrl: line.url, folder },
    service,
    async calm() {
      while (service.inFlight() > 0 || (await isWorking(pool))) await delay(5);
    },
    async close() {
      await line.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres carries a statement out although its client is dead, and notices that afterwards. */
async function isWorking(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity a
     where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
       and (a.state <> 'idle' or exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'))`,
  );
  return (rowCount ?? 0) > 0;
}
