// Faults that a sandbox makes on purpose and an ordinary day would not show. One table, all off by default.
import type { IncomingHttpHeaders } from 'node:http';
import { Dice } from './random.ts';
import type { WindowKind } from './rate-window.ts';
import type { Reply } from './reply.ts';

export interface FaultOptions {
  /** How the minute is counted; the reference does not say. Default: fixed. */
  readonly minutes?: WindowKind | undefined;
  /** Share of requests answered 500 or 503, 0 … 1. Default 0. */
  readonly errorRate?: number | undefined;
  /** Share of requests whose connection is cut without an answer, 0 … 1. Default 0. */
  readonly dropRate?: number | undefined;
  /** Minimum and maximum wait before every answer, in ms. Default: no wait. */
  readonly delayMs?: readonly [number, number] | undefined;
  readonly bodies?: Bodies | undefined;
  /** Returns the answer to send instead of the one that is due; undefined sends that one. */
  readonly answer?: ((asked: Asked, due: Reply) => Told | undefined | Promise<Told | undefined>) | undefined;
  readonly received?: ((lines: readonly string[]) => void) | undefined;
}

export interface Bodies {
  /**
   * Returns the whole body, its list not cut into pages; undefined if not found. @param day 0 is the date it began with
   */
  readonly body: (route: string, query: URLSearchParams, day: number) => unknown;
  /** Key of a route's list; '' if the body is the list. */
  readonly listKeys: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  /** Path below `/api/v1/`, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Index of the key among the sandbox's; undefined for an unknown or missing key. */
  readonly account: number | undefined;
  /** Number of the request, from 1. */
  readonly number: number;
}

/** `drop` ends the connection without an answer, `cut` in the middle of it. */
export type Told = Reply | 'drop' | 'cut';

export interface Fault {
  readonly kind: 'none' | 'drop' | 'error';
  readonly delayMs: number;
  readonly status: number;
}

export function faultOf(seed: number, options: FaultOptions, order: number): Fault {
  const dice = new Dice(seed, 'fault', order);
  const draw = dice.fraction();
  const [least, most] = options.delayMs ?? [0, 0];
  const drop = options.dropRate ?? 0;
  const error = drop + (options.errorRate ?? 0);
  return {
    kind: draw < drop ? 'drop' : draw < error ? 'error' : 'none',
    delayMs: most === 0 ? 0 : dice.int(least, most),
    status: dice.chance(0.5) ? 500 : 503,
  };
}
