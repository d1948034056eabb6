// Looks through the measurements for the one that was started, less and less often.
import type { ApiClient } from '../../api/client.ts';
import type { Clock } from '../../core/clock.ts';
import { RetryableError } from '../../core/errors.ts';
import type { Stream } from '../../streams/stream.ts';
import { findMeasurement, type SoughtMeasurement } from './find-measurement.ts';
import { walkMeasurements } from './walk-measurements.ts';

export interface LookDeps {
  readonly client: Pick<ApiClient, 'get'>;
  readonly stream: Pick<Stream, 'name' | 'route' | 'query' | 'list'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A look begins after this pause. */
  readonly onPause: (pauseMs: number) => void;
}

export interface SeenMeasurement {
  readonly record: unknown;
  readonly afterMs: number;
}

const firstPauseMs = 30_000;
export const longestWaitMs = 1_800_000;

/** Pauses before each look: each twice as long as the one before, half an hour together. */
export function pausesMs(): readonly number[] {
  const pauses: number[] = [];
  let spentMs = 0;
  for (let pauseMs = firstPauseMs; spentMs < longestWaitMs; pauseMs *= 2) {
    pauses.push(Math.min(pauseMs, longestWaitMs - spentMs));
    spentMs += pauseMs;
  }
  return pauses;
}

/**
 * Undefined: not seen. A look that fails is followed by the next one.
 * @throws what `ApiClient` throws where no later look can succeed
 */
export async function lookForMeasurement(
  deps: LookDeps,
  sought: SoughtMeasurement,
): Promise<SeenMeasurement | undefined> {
  const { client, stream, clock, signal, onPause } = deps;
  const { startedAtMs } = sought;
  for (const pauseMs of pausesMs()) {
    onPause(pauseMs);
    await clock.sleep(pauseMs, signal);
    try {
      const record = findMeasurement(await walkMeasurements(client, stream, { startedAtMs, signal }), sought);
      if (record !== undefined) return { record, afterMs: clock.now() - startedAtMs };
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
    }
  }
  return undefined;
}
