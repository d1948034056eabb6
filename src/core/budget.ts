// The port between the rate gate (api) and the ledger (store), which never meet.

/** Who asks: jobs may not touch the reserve, people (`doctor`) may. */
export type Purpose = 'job' | 'people';

export interface TokenRequest {
  readonly account: string;
  readonly stream: string;
  readonly purpose: Purpose;
  readonly perMinute: number;
}

export type Grant =
  | {
      readonly granted: true;
      readonly ticket: Ticket;
      readonly remainingToday: number;
    }
  | {
      readonly granted: false;
      /** `minute`: wait until; `day`: the day's requests are used up. */
      readonly reason: 'minute' | 'day';
      readonly retryInMs: number;
    };

/** Names one granted request; handed back when its answer is in. */
export interface Ticket {
  readonly account: string;
  /** Opaque to the gate. */
  readonly slot: string;
}

/**
 * Why a key is closed after a refusal. `minute`: the wait is short; `day`: the server says until when, which may
 * tell when its day renews; `pause`: a wait of our own, which tells nothing.
 */
export type ClosedScope = 'minute' | 'day' | 'pause';

/** Reading of the server's own count, from an answer's rate headers. */
export interface KeyReading {
  readonly limit: number;
  /** Requests the server still allowed in its minute when it answered. */
  readonly remaining: number;
  /** Time until the server's minute renews; it counts whole seconds. */
  readonly resetMs: number;
  readonly latencyMs: number;
}

/** Grants requests exactly, across processes and restarts. Every attempt takes one token. */
export interface Ledger {
  take(request: TokenRequest): Promise<Grant>;
  /**
   * Ends a request, answered or failed: from now on its place in the minute runs out. `reading` shows whether
   * somebody else uses the key; every process on the key holds back by the newest one.
   */
  settle(ticket: Ticket, reading?: KeyReading): Promise<void>;
  /**
   * Returns the token of a request that never reached the server, for the minute and for the day. `request`: the one
   * that the ticket was granted for.
   */
  giveBack(ticket: Ticket, request: Pick<TokenRequest, 'stream' | 'purpose'>): Promise<void>;
  block(account: string, scope: ClosedScope, delayMs: number): Promise<void>;
}

/** Uploads of logs in any 60 minutes, questions and measurements a day (api.md, "Write routes"). */
export const writeLimits = { logs: 20, questions: 200, measurement: 3 } as const;
