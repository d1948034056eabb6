// A measurement from its start to the moment it is seen among the others, where somebody waits for that.

import type pg from 'pg';
import type { ApiClient } from '../../api/client.ts';
import { AirankError, BudgetExhaustedError, SkippableError } from '../../core/errors.ts';
import type { Stream } from '../../streams/stream.ts';
import { type Delivered, deliver, type SendDeps, type UnknownPolicy } from '../deliver.ts';
import {
  forgetUnsent,
  type OpenMeasurement,
  planMeasurement,
  unknownMeasurement,
} from '../store/measurement-writes.ts';
import { skipWrite, type WritesHolder, writeOpensAt } from '../store/write-book.ts';
import { withWrites } from '../with-writes.ts';
import {
  lookForMeasurement,
  measurementIds,
  recordMark,
  type SeenMeasurement,
  walkMeasurements,
} from './find-measurement.ts';

/** Starts one measurement, once. The caller holds the account's measurements (`withWrites`). */
export interface MeasurementRequest {
  readonly account: string;
  readonly business: string;
  readonly sector: string | undefined;
  readonly location: string | undefined;
  /** A recent one is not reused. */
  readonly force: boolean;
  /** What to do where the outcome of the last one of the same business is unknown. */
  readonly unknown: UnknownPolicy;
}

export type StartedMeasurement =
  /** `write`: its number in sync.write. */
  | { readonly kind: 'sent'; readonly write: number; readonly delivered: Delivered }
  /** The limit of measurements is used up until then; nothing was sent. */
  | Extract<Delivered, { kind: 'deferred' }>
  /** The outcome of the last one of the same business is unknown; nothing was sent. */
  | { readonly kind: 'undecided'; readonly open: OpenMeasurement };

interface StartHooks {
  /** Measurements of earlier commands that ended before they were sent, and are forgotten. */
  readonly onForgotten: (businesses: readonly string[]) => void;
  /** The last moment before it is sent. */
  readonly beforeSend: () => Promise<void>;
}

/** @throws FatalError, RetryableError as `deliver`; it is forgotten then unless it was sent */
async function startMeasurement(
  deps: SendDeps,
  request: MeasurementRequest,
  hooks: StartHooks,
): Promise<StartedMeasurement> {
  const { db, config } = deps;
  const { account, business, unknown } = request;
  const forgotten = await forgetUnsent(db, account);
  if (forgotten.length > 0) hooks.onForgotten(forgotten);
  const open = await unknownMeasurement(db, account, business);
  if (open !== undefined && unknown === 'report') return { kind: 'undecided', open };
  const until = await writeOpensAt(db, config, { account, kind: 'measurement', takes: 1 });
  if (until !== undefined) return { kind: 'deferred', until, why: 'the limit is used up' };
  if (open !== undefined && unknown === 'skip') await skipWrite(db, { account, id: open.id });
  await hooks.beforeSend();
  const bytes = bodyOf(request);
  const again = unknown === 'resend' ? open?.id : undefined;
  const id = again ?? (await planMeasurement(db, account, { business, bytes }));
  const write = { account, id, kind: 'measurement', takes: 1, type: 'application/json', bytes } as const;
  try {
    const delivered = await deliver({ ...deps, unknown: 'report' }, write);
    return delivered.kind === 'deferred' ? delivered : { kind: 'sent', write: id, delivered };
  } finally {
    // Who asked sees at once what was refused or not sent; nobody has to decide about it.
    await forgetUnsent(db, account);
    await skipWrite(db, { account, id }, ['refused']);
  }
}

/** api.md, "Write routes". */
function bodyOf({ business, sector, location, force }: MeasurementRequest): Uint8Array {
  const body = { empresa: business, sector, ubicacion: location, forzar: force ? true : undefined };
  return Buffer.from(JSON.stringify(body));
}

interface MeasureDeps extends SendDeps {
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
    const message = `${error.message} Nothing was started: --wait looks there`;
    throw new SkippableError(message, error.place, { cause: error });
  }
}
