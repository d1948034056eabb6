// A sync inside this process, as `airank sync` would do it, under a clock of which waiting takes no time.

import type pg from 'pg';
import type { Limits } from '../../src/config/config.ts';
import type { Ledger } from '../../src/core/budget.ts';
import type { Clock } from '../../src/core/clock.ts';
import { load, unlimited } from '../support/config-fixtures.ts';
import { createMemoryLedger } from '../support/memory-ledger.ts';
import { onlyAccount, type Synced, syncWith } from '../support/sync-in-process.ts';
import { tortureKey } from './hostile-server.ts';
import { publicIds, questions } from './world.ts';

/** State that one key keeps over several runs: its time, and the ledger of its requests. */
export interface KeyLife {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly perDay: number;
  /** A day passes: the key is open again, and has all its requests. */
  nextDay(): void;
}

export function createKeyLife(perDay: number): KeyLife {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const make = () => createMemoryLedger({ nowMs: now, perDay });
  let today = make();
  const clock = {
    now,
    sleep: async (delayMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      const until = now() + delayMs;
      await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 2)));
      signal?.throwIfAborted();
      aheadMs += Math.max(until - now(), 0);
    },
  };
  const ledger: Ledger = {
    take: (request) => today.take(request),
    settle: (ticket, reading) => today.settle(ticket, reading),
    giveBack: (ticket, request) => today.giveBack(ticket, request),
    block: (account, scope, delayMs) => today.block(account, scope, delayMs),
  };
  return {
    clock,
    ledger,
    perDay,
    nextDay: () => {
      aheadMs += 26 * 3_600_000;
      today = make();
    },
  };
}

export interface SyncRequest {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly runDate: string;
  readonly streams: readonly string[];
  readonly life: KeyLife;
  readonly limits?: Partial<Limits>;
  /** Undefined: the account itself, and every client that is known. */
  readonly clientIds?: readonly string[] | undefined;
  readonly withClients?: boolean;
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal;
}

const file = JSON.stringify({
  questions,
  public_ids: publicIds,
  streams: { airank_history: { format: 'csv' } },
});

export async function runOnce({ url, life, limits, withClients, ...parts }: SyncRequest): Promise<Synced> {
  const key = { AIRANK_BASE_URL: url, AIRANK_API_KEY: tortureKey };
  const config = load(
    { ...key, ...unlimited, AIRANK_PER_DAY: String(life.perDay) },
    { 'airank.config.yaml': file },
    { limits: { maxAttempts: 3, bodyTimeoutMs: 400, ...limits } },
  );
  const { ledger, clock } = life;
  return onlyAccount(await syncWith(config, { ledger, clock, everyClient: withClients, ...parts }));
}
