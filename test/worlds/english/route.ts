// What a route of this world is given.
import type { Firm } from './firms.ts';

export interface Ask {
  readonly query: URLSearchParams;
  /** 0 for the first run date. */
  readonly day: number;
  /** Of `cliente`; the agency itself without it. */
  readonly firm: Firm;
}

/** The whole body; undefined: not found. */
export type Route = (ask: Ask) => unknown;

export type Routes = Readonly<Record<string, Route>>;
