// The ledger of requests in Postgres; restarts and several processes on one key share it exactly.
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { ClosedScope, Grant, KeyReading, Ledger, Ticket, TokenRequest } from '../../core/budget.ts';
import { type Executor, prepared } from '../../db/database.ts';

export interface DayLimits {
  readonly perDay: number;
  readonly reservePercent: number;
}

export interface DaySettings {
  /** UTC time of day at which the day renews, in minutes after midnight. */
  readonly dayRenewsAtMinutes: number;
  /** The renewal is not configured, so a refusal for the day corrects it. */
  readonly learnDayRenewal: boolean;
}

interface LedgerOptions extends DaySettings {
  readonly limits: ReadonlyMap<string, DayLimits>;
  /** Longest time from a grant until the request reaches the server (the time to connect), in ms. */
  readonly sendWithinMs: number;
}

/** Returns the requests that jobs leave for people, rounded up. */
export function reserveOf(limits: DayLimits): number {
  return Math.ceil((limits.perDay * limits.reservePercent) / 100);
}

/** SQL for the UTC time of day at which an account's budget renews. */
export const dayRenewal = (account: string | RawBuilder<unknown>, settings: DaySettings) =>
  sql`sync.day_renewal(${account}, make_interval(mins => ${settings.dayRenewsAtMinutes}::integer), ${settings.learnDayRenewal}::boolean)`;

export function createLedgerOf(db: Executor, config: Config): Ledger {
  return createLedger(db, {
    limits: new Map(config.accounts.map((account) => [account.name, account])),
    dayRenewsAtMinutes: config.dayRenewsAtMinutes,
    learnDayRenewal: config.learnDayRenewal,
    sendWithinMs: config.http.connectTimeoutMs,
  });
}

/** Divisor: a refusal teaches only if at least a tenth of the day's requests were made in the last 24 hours. */
const leastShareThatTeaches = 10;

interface TokenRow {
  granted: boolean;
  reason: 'minute' | 'day' | null;
  retry_in_ms: number;
  slot: Date | null;
  remaining_today: number;
  day_of: string | null;
  hour_of: Date | null;
}

export function createLedger(db: Executor, options: LedgerOptions): Ledger {
  const holdMs = 60_000 + options.sendWithinMs + 2_000;
  const limitsOf = (account: string): DayLimits => {
    const limits = options.limits.get(account);
    if (limits === undefined) throw new RangeError(`No limits for account ${account}`);
    return limits;
  };
  return {
    async take(request: TokenRequest): Promise<Grant> {
      const { account, stream, purpose } = request;
      const limits = limitsOf(account);
      const result = await sql<TokenRow>`${prepared}
        select granted, reason, retry_in_ms, slot, day_of, hour_of, remaining_today
        from sync.take_token(${account}, ${stream}, ${purpose},
          ${request.perMinute}::integer, ${limits.perDay}::integer, ${reserveOf(limits)}::integer,
          ${dayRenewal(account, options)},
          make_interval(secs => ${holdMs / 1000}::float8))`.execute(db);
      const row = result.rows[0];
      if (row === undefined) throw new Error('sync.take_token returned no row');
      if (!row.granted || row.slot === null || row.hour_of === null) {
        return { granted: false, reason: row.reason ?? 'minute', retryInMs: Math.ceil(row.retry_in_ms) };
      }
      return {
        granted: true,
        ticket: { account, slot: `${row.slot.toISOString()} ${row.day_of} ${row.hour_of.toISOString()}` },
        remainingToday: row.remaining_today,
      };
    },
    async settle(ticket: Ticket, reading?: KeyReading): Promise<void> {
      const [slot, day, hour] = ticket.slot.split(' ');
      const told = reading === undefined ? null : JSON.stringify(reading);
      await sql`${prepared}
        select sync.settle_token(${ticket.account}, ${slot}::timestamptz, ${day}::date, ${hour}::timestamptz,
          make_interval(secs => ${holdMs / 1000}::float8), ${told}::jsonb)`.execute(db);
    },
    async giveBack(ticket: Ticket, { stream, purpose }): Promise<void> {
      const [slot, day, hour] = ticket.slot.split(' ');
      await sql`
        select sync.give_back(${ticket.account}, ${stream}, ${purpose}, ${slot}::timestamptz, ${day}::date,
          ${hour}::timestamptz)`.execute(db);
    },
    async block(account: string, scope: ClosedScope, delayMs: number): Promise<void> {
      // A refusal of a key that was hardly used is not about the day, so it says nothing about the renewal.
      const evidence = limitsOf(account).perDay / leastShareThatTeaches;
      await sql`
        select sync.block_account(${account}, ${scope === 'pause' ? 'day' : scope},
          make_interval(secs => ${delayMs / 1000}::float8),
          ${options.learnDayRenewal && scope === 'day'}::boolean
            and sync.spent_since(${account}, clock_timestamp() - interval '24 hours') >= ${evidence}::float8)`.execute(
        db,
      );
    },
  };
}
