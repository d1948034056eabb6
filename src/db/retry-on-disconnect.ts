// Waits for a database that is gone, restarts, is busy or has a full disk, with growing pauses, and does the work
// again from its checkpoint, until the given time is over.
import { type Clock, sleepUntilStopped } from '../core/clock.ts';
import { messageOf, WarehouseError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { isBusy, isDisturbance, isReadOnly } from './sqlstate.ts';

/**
 * Does `work`, and does it again after each failure of the database, so it must be safe to do twice. `progress`, after
 * what was written, restarts the time.
 * @throws WarehouseError when that time is over or the signal is aborted
 */
export type DatabaseRetry = <Result>(
  work: (progress: () => void) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

interface RetryOptions {
  readonly clock: Clock;
  /** Longest wait for a database that fails like this. */
  readonly patienceMs: (error: unknown) => number;
  readonly logger?: Logger;
  /** Rejects while the server is read-only; its answers to reads prove nothing then. */
  readonly expectWrites?: () => Promise<void>;
  /** Start of the wait for the database; undefined: it is back. */
  readonly onOutage?: (since: Date | undefined) => void;
  readonly random?: () => number;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

export function createDatabaseRetry(options: RetryOptions): DatabaseRetry {
  const { clock, logger, patienceMs, random = Math.random } = options;
  // One outage hits all slices of a run: it is logged once.
  let outage: { readonly sinceMs: number; readonly isReadOnly: boolean } | undefined;

  let probing: Promise<void> | undefined;

  const begin = (error: unknown) => {
    if (outage !== undefined) return;
    outage = { sinceMs: clock.now(), isReadOnly: isReadOnly(error) };
    options.onOutage?.(new Date(outage.sinceMs));
    // Shown by default: people at the terminal want to know what it waits for.
    const event = isBusy(error) ? 'busy' : isReadOnly(error) ? 'read_only' : 'lost';
    logger?.error({
      event: `database.${event}`,
      error: messageOf(error),
      patience_s: patienceMs(error) / 1000,
    });
  };
  const end = () => {
    if (outage === undefined) return;
    logger?.warn({ event: 'database.back', after_ms: clock.now() - outage.sinceMs });
    outage = undefined;
    options.onOutage?.(undefined);
  };

  return async (work, signal) => {
    let sinceMs: number | undefined;
    let tries = 0;
    const progress = () => {
      sinceMs = undefined;
      tries = 0;
      end();
    };
    for (;;) {
      const begunMs = clock.now();
      try {
        if (outage?.isReadOnly && options.expectWrites !== undefined) {
          probing ??= options.expectWrites().finally(() => {
            probing = undefined;
          });
          await probing;
          end();
        }
        const result = await work(progress);
        if (!outage?.isReadOnly) end();
        return result;
      } catch (error) {
        if (!isDisturbance(error)) throw error;
        const waitMs = patienceMs(error);
        // Work that lasted this long had a database meanwhile.
        if (clock.now() - begunMs > waitMs) progress();
        sinceMs ??= clock.now();
        const leftMs = sinceMs + waitMs - clock.now();
        if (leftMs <= 0 || signal.aborted) throw usedUp(error, waitMs, signal);
        begin(error);
        const pauseMs = Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.75 + random() / 2);
        tries += 1;
        await sleepUntilStopped(clock, Math.min(pauseMs, leftMs), signal);
      }
    }
  };
}

function usedUp(error: unknown, waitMs: number, signal: AbortSignal): WarehouseError {
  const how = signal.aborted
    ? 'Stopped while the database was unavailable'
    : `The database was unavailable for ${waitMs / 1000} s`;
  return new WarehouseError(
    `${how}: ${messageOf(error)}. Stored data is unchanged; run this again when the database is back`,
    {},
    { cause: error },
  );
}
