// What a route is asked, and whose records it shows.
import type { Firm } from './firms.ts';

export interface Asked {
  readonly query: URLSearchParams;
  /** 0 for the first run date. */
  readonly day: number;
  /** Whose key or `cliente` it is. */
  readonly firm: Firm;
}

export type Routes = Readonly<Record<string, (asked: Asked) => unknown>>;
