// The port between the rate gate (api) and the ledger (warehouse), which never meet.

/** Who asks: jobs may not touch the reserve, people (`ask`, `doctor`, the write commands) may. */
export type Purpose = 'job' | 'people';

export interface TokenRequest {
  readonly account: string;
  /** Stream the request is for; counted by hour in the ledger. */
  readonly stream: string;
  readonly purpose: Purpose;
  /** Requests allowed in any 60 seconds. */
  readonly perMinute: number;
}

export type Grant =
  | {
      readonly granted: true;
      readonly ticket: Ticket;
      readonly usedToday: number;
      readonly leftToday: number;
    }
  | {
      readonly granted: false;
      /** `minute`: wait until; `day`: the day's requests are used up. */
      readonly reason: 'minute' | 'day';
      /** When to ask again, milliseconds since the epoch on the ledger's clock, as a delay from now. */
      readonly retryInMs: number;
    };

/** Names one granted request; handed back when its answer is in. */
export interface Ticket {
  readonly account: string;
  /** Opaque to the gate. */
  readonly slot: string;
}

/** Grants requests exactly, across processes and restarts. Every attempt takes one token. */
export interface Ledger {
  take(request: TokenRequest): Promise<Grant>;
  /** The answer is in (or the attempt failed): from now on its place in the minute runs out. */
  settle(ticket: Ticket): Promise<void>;
  /** The server refused: nobody on this account asks again before `delayMs` from now. */
  block(account: string, scope: 'minute' | 'day', delayMs: number): Promise<void>;
  /** The server counted so many requests that nobody took from the ledger. For the eye only. */
  noteStrangers?(account: string, requests: number): Promise<void>;
}
