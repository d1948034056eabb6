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
      /** Granted today, with those that were given back: it only grows until the day renews. */
      readonly grantedToday: number;
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

/** Reading of the server's own count from an answer; times from now. */
export interface KeyReading {
  /** Somebody else was seen to use the key. */
  readonly otherUsers: boolean;
  /** The server's minutes renew at once; false: each request leaves the count a minute after it came. */
  readonly fixed: boolean;
  readonly limit: number;
  /** Requests the server still allowed in its minute when it answered. */
  readonly remaining: number;
  /** From the request's grant to its answer. */
  readonly latencyMs: number;
  /** The end of the server's minute lies between these. */
  readonly endsFromMs: number;
  readonly endsByMs: number;
  /** Places that the others may take between two looks. */
  readonly burst: number;
}

/** Grants requests exactly, across processes and restarts. Every attempt takes one token. */
export interface Ledger {
  take(request: TokenRequest): Promise<Grant>;
  /**
   * The answer is in (or the attempt failed): from now on its place in the minute runs out.
   * `reading`: where somebody else is seen on the key, by whichever process, all hold back by the newest of these.
   */
  settle(ticket: Ticket, reading?: KeyReading): Promise<void>;
  /**
   * The request never reached the server: its token, of the minute and of the day, is there for another
   * one. `request`: the one that the ticket was granted for.
   */
  giveBack(ticket: Ticket, request: Pick<TokenRequest, 'stream' | 'purpose'>): Promise<void>;
  block(account: string, scope: ClosedScope, delayMs: number): Promise<void>;
  /** The server counted this many requests that the ledger did not grant. For display only. */
  noteOthers?(account: string, requests: number): Promise<void>;
}

/** Uploads of logs in any 60 minutes, questions and measurements a day (api.md, "Limits"). */
export const writeLimits = { logs: 20, questions: 200, measurement: 3 } as const;
