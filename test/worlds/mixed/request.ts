// What an answer of this world depends on.
import type { Customer } from './customers.ts';

export interface Request {
  readonly query: URLSearchParams;
  /** 0 for the first run date. */
  readonly day: number;
  /** Named by `cliente`; the agency itself where none is. */
  readonly customer: Customer;
}

/** The body; undefined: not found. */
export type Answer = (request: Request) => unknown;

export type Answers = Readonly<Record<string, Answer>>;
