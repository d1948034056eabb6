// Starts one measurement, once. The caller holds the account's measurements (`withWrites`).

import { type Delivered, deliver, type UnknownPolicy } from '../deliver.ts';
import type { SendDeps } from '../send-write.ts';
import {
  forgetUnsent,
  type OpenMeasurement,
  planMeasurement,
  unknownMeasurement,
} from '../store/measurement-writes.ts';
import { skipWrite, writeOpensAt } from '../store/write-book.ts';

export interface MeasurementRequest {
  readonly account: string;
  readonly business: string;
  readonly sector: string | undefined;
  readonly location: string | undefined;
  /** A recent one is not reused. */
  readonly force: boolean;
  /** What to do where nobody knows of the last one of the same business. */
  readonly unknown: UnknownPolicy;
}

export type StartedMeasurement =
  /** `write`: its number in sync.write. */
  | { readonly kind: 'sent'; readonly write: number; readonly delivered: Delivered }
  /** The limit of measurements is used up until then; nothing was sent. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly why: string }
  /** Nobody knows of the last one of the same business; nothing was sent. */
  | { readonly kind: 'undecided'; readonly open: OpenMeasurement };

export interface StartHooks {
  /** Measurements of earlier commands that ended before they were sent, and are forgotten. */
  readonly onForgotten: (businesses: readonly string[]) => void;
  /** The last moment before it is sent. */
  readonly beforeSend: () => Promise<void>;
}

/** @throws FatalError, RetryableError as `deliver`; it is forgotten then unless it was sent */
export async function startMeasurement(
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
    if (delivered.kind === 'deferred')
      return { kind: 'deferred', until: delivered.until, why: delivered.why };
    return { kind: 'sent', write: id, delivered };
  } finally {
    // Who asked is told at once of what was refused or not sent; nobody has to decide about it.
    await forgetUnsent(db, account);
    await skipWrite(db, { account, id }, ['refused']);
  }
}

/** api.md, "Write routes". */
function bodyOf({ business, sector, location, force }: MeasurementRequest): Uint8Array {
  const body = { empresa: business, sector, ubicacion: location, forzar: force ? true : undefined };
  return Buffer.from(JSON.stringify(body));
}
