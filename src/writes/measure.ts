// Starts a measurement on demand, once. If the last one may have arrived, holds it back until somebody decides.

import type pg from 'pg';
import { type Delivered, deliver, holdingWrites, type Policy, type SendDeps } from './send.ts';
import {
  forgetUnsent,
  type OpenMeasurement,
  planMeasurement,
  unknownMeasurement,
} from './store/measurement-writes.ts';
import { skipWrite, type WritesHolder, writeOpensAt } from './store/write-states.ts';

export interface MeasurementRequest {
  readonly account: string;
  readonly business: string;
  readonly sector: string | undefined;
  readonly location: string | undefined;
  readonly force: boolean;
  /** Decides what to do if the outcome of the last measurement of the same business is unknown. */
  readonly unknown: Policy;
}

type Deferred = Extract<Delivered, { kind: 'deferred' }>;

export type StartedMeasurement =
  /** `write` is its number in sync.write. */
  | (Exclude<Delivered, Deferred> & { readonly write: number })
  /** The limit of measurements is used up until then; nothing was sent. */
  | Deferred
  /** The outcome of the last measurement of this business is unknown; nothing was sent. */
  | { readonly kind: 'undecided'; readonly open: OpenMeasurement };

interface MeasureDeps extends SendDeps {
  readonly pool: pg.Pool;
  readonly onBusy: (holder: WritesHolder | undefined) => void;
  /** Called with measurements that earlier commands planned and never sent, and that are now forgotten. */
  readonly onForgotten: (businesses: readonly string[]) => void;
}

/** @throws FatalError, RetryableError as `deliver`; the measurement is then forgotten unless it was sent */
export async function startMeasurement(
  deps: MeasureDeps,
  request: MeasurementRequest,
): Promise<StartedMeasurement> {
  const { pool, clock, signal, onBusy } = deps;
  const of = { pool, account: request.account, kind: 'measurement', clock, signal, onBusy } as const;
  return await holdingWrites(of, (held) => sendMeasurement({ ...deps, signal: held }, request));
}

async function sendMeasurement(deps: MeasureDeps, request: MeasurementRequest): Promise<StartedMeasurement> {
  const { db, config, onForgotten } = deps;
  const { account, business, unknown } = request;
  const forgotten = await forgetUnsent(db, account);
  if (forgotten.length > 0) onForgotten(forgotten);
  const open = await unknownMeasurement(db, account, business);
  if (open !== undefined && unknown === 'report') return { kind: 'undecided', open };
  const until = await writeOpensAt(db, config, { account, kind: 'measurement', takes: 1 });
  if (until !== undefined) return { kind: 'deferred', until, why: 'the limit is used up' };
  if (open !== undefined && unknown === 'skip') await skipWrite(db, { account, id: open.id });
  const bytes = bodyOf(request);
  const again = unknown === 'resend' ? open?.id : undefined;
  const id = again ?? (await planMeasurement(db, account, { business, bytes }));
  const write = { account, id, kind: 'measurement', takes: 1, type: 'application/json', bytes } as const;
  try {
    const delivered = await deliver(deps, write);
    return delivered.kind === 'deferred' ? delivered : { ...delivered, write: id };
  } finally {
    // The caller sees at once what was refused or not sent, so nobody has to decide about it.
    await forgetUnsent(db, account);
    await skipWrite(db, { account, id }, ['refused']);
  }
}

/** api.md, "Write routes". */
function bodyOf({ business, sector, location, force }: MeasurementRequest): Uint8Array {
  const body = { empresa: business, sector, ubicacion: location, forzar: force ? true : undefined };
  return Buffer.from(JSON.stringify(body));
}
