// A measurement from its start to the moment it is seen among the others, where somebody waits for that.
import type pg from 'pg';
import type { ApiClient } from '../../api/client.ts';
import { AirankError, BudgetExhaustedError, SkippableError } from '../../core/errors.ts';
import type { Stream } from '../../streams/stream.ts';
import type { SendDeps } from '../send-write.ts';
import { skipWrite } from '../store/write-book.ts';
import type { WritesHolder } from '../store/writes-holder.ts';
import { withWrites } from '../with-writes.ts';
import { recordMark } from './find-measurement.ts';
import { lookForMeasurement, type SeenMeasurement } from './look-for-measurement.ts';
import { measurementIds } from './measurement-id.ts';
import { type MeasurementRequest, type StartedMeasurement, startMeasurement } from './start-measurement.ts';
import { walkMeasurements } from './walk-measurements.ts';

export interface MeasureDeps extends SendDeps {
  readonly pool: pg.Pool;
  readonly client: ApiClient;
  /** `mediciones`. */
  readonly stream: Pick<Stream, 'name' | 'route' | 'query' | 'list'>;
  readonly onBusy: (holder: WritesHolder | undefined) => void;
  readonly onForgotten: (businesses: readonly string[]) => void;
  readonly onPause: (pauseMs: number) => void;
  /** It is sent, or not; the wait for it comes after. */
  readonly onStarted: (started: StartedMeasurement, id: string | undefined) => Promise<void>;
}

export interface Measured {
  readonly started: StartedMeasurement;
  /** In the answer. */
  readonly id: string | undefined;
  /** Undefined: nobody waited, or it was not seen. */
  readonly seen: SeenMeasurement | undefined;
  /** What ended the wait early. */
  readonly failure: unknown;
}

/** @throws what keeps it from being started; what comes after is in the result */
export async function measureAndWait(
  deps: MeasureDeps,
  request: MeasurementRequest,
  isWaiting: boolean,
): Promise<Measured> {
  const { pool, clock, onBusy } = deps;
  const { account, business } = request;
  let before: ReadonlySet<string> = new Set();
  let startedAtMs = clock.now();
  const of = { pool, account, kind: 'measurement', clock, signal: deps.signal, onBusy } as const;
  const started = await withWrites(of, (signal) =>
    startMeasurement({ ...deps, signal }, request, {
      onForgotten: deps.onForgotten,
      beforeSend: async () => {
        if (isWaiting) before = await marksBefore(deps, startedAtMs);
        startedAtMs = clock.now();
      },
    }),
  );
  const delivered = started.kind === 'sent' ? started.delivered : undefined;
  const id = delivered?.kind === 'accepted' ? measurementIds(delivered.json)[0] : undefined;
  const mayCome = delivered?.kind === 'accepted' || delivered?.kind === 'unknown';
  await deps.onStarted(started, id);
  if (!isWaiting || !mayCome) return { started, id, seen: undefined, failure: undefined };
  try {
    const seen = await lookForMeasurement(deps, { id, business, startedAtMs, before });
    // It did arrive.
    if (seen !== undefined && started.kind === 'sent')
      await skipWrite(deps.db, { account, id: started.write });
    return { started, id, seen, failure: undefined };
  } catch (failure) {
    return { started, id, seen: undefined, failure };
  }
}

/** Asked before one of the day's few is spent: without this route nobody could wait for it. */
async function marksBefore(
  { client, stream, signal }: MeasureDeps,
  startedAtMs: number,
): Promise<ReadonlySet<string>> {
  try {
    const records = await walkMeasurements(client, stream, { startedAtMs, signal });
    return new Set(records.map(recordMark));
  } catch (error) {
    if (!(error instanceof AirankError) || error instanceof BudgetExhaustedError) throw error;
    const told = `${error.message} Nothing was started: --wait looks there`;
    throw new SkippableError(told, error.place, { cause: error });
  }
}
