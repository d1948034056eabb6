// One process at a time sends an account's writes of a kind. Another one waits for it.

import { isIP } from 'node:net';
import type pg from 'pg';
import { createAccountGate } from '../api/gate/gate.ts';
import { createPoster, type Poster } from '../api/post.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import type { Ledger } from '../core/budget.ts';
import { type Clock, linkSignals, systemClock } from '../core/clock.ts';
import { WarehouseError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { createDatabase } from '../db/database.ts';
import type { SessionLock } from '../db/session-lock.ts';
import type { WriteKind } from './store/write-states.ts';
import { giveUpSending, holdWrites, type WritesHolder, writesHolder } from './store/write-states.ts';

/** What sends an account's writes, under its share of the ledger, closed whatever happens. */
export async function withPoster<Result>(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  account: AccountConfig,
  ledger: Ledger,
  work: (poster: Poster) => Promise<Result>,
): Promise<Result> {
  const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
  const poster = createPoster(account, config.http, gate);
  try {
    return await work(poster);
  } finally {
    await poster.close();
    await gate.close();
  }
}

/** Also with a port or a mask after it. */
const looksLikeAddress =
  /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d*\.\d+\.\d+\.\d+)?)/gi;

export function withoutAddresses(text: string): string {
  return text.replaceAll(looksLikeAddress, (found) => (isIP(found) === 0 ? found : '[address]'));
}

export interface HoldingWritesInput {
  readonly pool: pg.Pool;
  readonly account: string;
  readonly kind: WriteKind;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once, when it has to wait. */
  readonly onBusy: (holder: WritesHolder | undefined) => void;
  /** Default 10 minutes. */
  readonly longestWaitMs?: number;
}

const againMs = 500;
const usualWaitMs = 600_000;

/**
 * `work` gets a signal that also ends when the lock is lost. What an earlier process was sending is unknown from here on.
 * @throws WarehouseError when another process still sends after the longest wait
 */
export async function holdingWrites<Result>(
  input: HoldingWritesInput,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { pool, account, kind } = input;
  const lock = await waitFor(input);
  const linked = linkSignals(input.signal, lock.lost);
  try {
    const db = createDatabase(pool);
    await giveUpSending(db, account, kind);
    return await work(linked.signal);
  } finally {
    linked.release();
    await lock.release();
  }
}

async function waitFor(input: HoldingWritesInput): Promise<SessionLock> {
  const { pool, account, kind, clock, signal, longestWaitMs = usualWaitMs } = input;
  const endsAt = clock.now() + longestWaitMs;
  let isNamed = false;
  for (;;) {
    const lock = await holdWrites(pool, account, kind);
    if (lock !== undefined) return lock;
    const holder = isNamed ? undefined : await writesHolder(createDatabase(pool), account, kind);
    if (!isNamed) input.onBusy(holder);
    isNamed = true;
    if (clock.now() >= endsAt) {
      throw new WarehouseError(
        `Another process still sends ${kind} of account ${account}. Run it again when that one has ended`,
        { account },
      );
    }
    await clock.sleep(againMs, signal);
  }
}
