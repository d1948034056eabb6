// The port between the rate gate (api) and the ledger (store), which never meet.

/** Who asks: jobs may not touch the reserve, people (`doctor`) may. */
export type Purpose = 'job' | 'people';

export interface TokenRequest {
  readonly account: string;
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

/** What an answer's rate headers tell of the server's own count. */
export interface KeyReading {
  readonly limit: number;
  /** Requests the server still allowed in its minute when it answered. */
  readonly remaining: number;
  /** Until its minute renews, in whole seconds of the server's. */
  readonly resetMs: number;
  /** From the request's grant to its answer. */
  readonly latencyMs: number;
}

/** Grants requests exactly, across processes and restarts. Every attempt takes one token. */
export interface Ledger {
  take(request: TokenRequest): Promise<Grant>;
  /**
   * The answer is in (or the attempt failed): from now on its place in the minute runs out.
   * `reading`: shows whether somebody else uses the key; then every process on it holds back by the newest of these.
   */
  settle(ticket: Ticket, reading?: KeyReading): Promise<void>;
  /**
   * The request never reached the server: its token, of the minute and of the day, is there for another
   * one. `request`: the one that the ticket was granted for.
   */
  giveBack(ticket: Ticket, request: Pick<TokenRequest, 'stream' | 'purpose'>): Promise<void>;
  block(account: string, scope: ClosedScope, delayMs: number): Promise<void>;
}

/** Uploads of logs in any 60 minutes, questions and measurements a day (api.md, "Limits"). */
export const writeLimits = { logs: 20, questions: 200, measurement: 3 } as const;
