// Disturbances on purpose: which request is slowed, dropped, broken or failed is fixed by seed and order.
import { Dice } from './random.ts';
import type { WindowKind } from './rate-window.ts';

export interface FaultOptions {
  /** How the minute is counted; the reference does not say it. Default fixed. */
  readonly minutes?: WindowKind | undefined;
  /** Share of requests answered 500 or 503, 0 … 1. Default 0. */
  readonly errorRate?: number | undefined;
  /** Share of 200 answers whose body is cut in the middle, 0 … 1. Default 0. */
  readonly brokenJsonRate?: number | undefined;
  /** Share of requests whose connection is cut without an answer, 0 … 1. Default 0. */
  readonly dropRate?: number | undefined;
  /** Every answer waits this long: least and most, in milliseconds. Default no wait. */
  readonly delayMs?: readonly [number, number] | undefined;
  /** Routes answered 404, as written below `/api/v1/`. Default none. */
  readonly unavailable?: readonly string[] | undefined;
  /** Routes answered 403. Default none. */
  readonly forbidden?: readonly string[] | undefined;
}

export interface Fault {
  readonly kind: 'none' | 'drop' | 'error' | 'broken';
  readonly delayMs: number;
  readonly status: number;
  readonly share: number;
}

/** Decides the fault of request number `order` of this server. */
export function faultOf(seed: number, options: FaultOptions, order: number): Fault {
  const dice = new Dice(seed, 'fault', order);
  const draw = dice.fraction();
  const [least, most] = options.delayMs ?? [0, 0];
  const drop = options.dropRate ?? 0;
  const error = drop + (options.errorRate ?? 0);
  const broken = error + (options.brokenJsonRate ?? 0);
  return {
    kind: draw < drop ? 'drop' : draw < error ? 'error' : draw < broken ? 'broken' : 'none',
    delayMs: most === 0 ? 0 : dice.int(least, most),
    status: dice.chance(0.5) ? 500 : 503,
    share: 0.2 + dice.fraction() * 0.7,
  };
}
