// The ledger of requests in Postgres: restarts and several processes on one key share it exactly.
import { sql } from 'kysely';
import type { Grant, Ledger, Ticket, TokenRequest } from '../core/budget.ts';
import type { Executor } from './database.ts';

export interface DayLimits {
  /** Requests a day. */
  readonly perDay: number;
  /** Percent of them kept for people. */
  readonly reservePercent: number;
}

export interface LedgerOptions {
  /** Limits by account name. */
  readonly limits: ReadonlyMap<string, DayLimits>;
  /** UTC time of day at which the day renews, minutes after midnight. */
  readonly dayRenewsAtMinutes: number;
  /** Nobody set that time: let a day-sized refusal of the server correct it. Default false. */
  readonly learnDayRenewal?: boolean;
  /** Longest time from a grant to the request's arrival at the server (the time to connect), ms. */
  readonly sendWithinMs: number;
}

/** Requests that jobs leave for people, rounded up. */
export function reserveOf(limits: DayLimits): number {
  return Math.ceil((limits.perDay * limits.reservePercent) / 100);
}

interface TokenRow {
  granted: boolean;
  reason: 'minute' | 'day' | null;
  retry_in_ms: number;
  slot: Date | null;
  used_today: number;
  left_today: number;
}

/** Grants requests by `sync.take_token`; see there for the order of locks. */
export function createLedger(db: Executor, options: LedgerOptions): Ledger {
  const holdMs = 60_000 + options.sendWithinMs + 2_000;
  const learn = options.learnDayRenewal ?? false;
  const limitsOf = (account: string): DayLimits => {
    const limits = options.limits.get(account);
    if (limits === undefined) throw new RangeError(`No limits for account ${account}`);
    return limits;
  };
  return {
    async take(request: TokenRequest): Promise<Grant> {
      const limits = limitsOf(request.account);
      const result = await sql<TokenRow>`
        select * from sync.take_token(${request.account}, ${request.stream}, ${request.purpose},
          ${request.perMinute}::integer, ${limits.perDay}::integer, ${reserveOf(limits)}::integer,
          sync.day_renewal(${request.account}, make_interval(mins => ${options.dayRenewsAtMinutes}::integer), ${learn}::boolean),
          make_interval(secs => ${holdMs / 1000}::float8))`.execute(db);
      const row = result.rows[0];
      if (row === undefined) throw new Error('sync.take_token returned no row');
      if (!row.granted || row.slot === null) {
        return { granted: false, reason: row.reason ?? 'minute', retryInMs: Math.ceil(row.retry_in_ms) };
      }
      return {
        granted: true,
        ticket: { account: request.account, slot: row.slot.toISOString() },
        usedToday: row.used_today,
        leftToday: row.left_today,
      };
    },
    async settle(ticket: Ticket): Promise<void> {
      await sql`select sync.settle_token(${ticket.account}, ${ticket.slot}::timestamptz)`.execute(db);
    },
    async block(account: string, scope: 'minute' | 'day', delayMs: number): Promise<void> {
      await sql`
        select sync.block_account(${account}, ${scope}, make_interval(secs => ${delayMs / 1000}::float8), ${learn}::boolean)`.execute(
        db,
      );
    },
    async noteStrangers(account: string, requests: number): Promise<void> {
      await sql`
        select sync.note_strangers(${account}, ${requests}::integer,
          sync.day_renewal(${account}, make_interval(mins => ${options.dayRenewsAtMinutes}::integer), ${learn}::boolean))`.execute(
        db,
      );
    },
  };
}
