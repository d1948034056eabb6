// The ledger's rule in memory: a request is held from its grant until a minute after its answer, and never
// more than the limit are held. Its clock is its own, as Postgres's is; processes share one instance.
import type { Ledger, Ticket } from '../../src/core/budget.ts';
import { createStrangerRule } from './stranger-rule.ts';

export interface MemoryLedger extends Ledger {
  /** Granted and not given back. */
  usedToday(): number;
  /** Places of the minute that are taken now. */
  held(): number;
  /** Requests of strangers that gates noted. */
  strangers(): number;
}

export interface MemoryLedgerOptions {
  /** The ledger's own clock. */
  readonly nowMs: () => number;
  /** Time of a round trip to it. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  readonly perDay?: number;
  /** Longest time from a grant to the arrival; a request that is never settled counts from then. */
  readonly sendWithinMs?: number;
}

const minuteMs = 60_000;

export function createMemoryLedger(options: MemoryLedgerOptions): MemoryLedger {
  const { nowMs, perDay = 5_000, sendWithinMs = 10_000 } = options;
  const roundTrip = async () => options.sleep?.(2);
  /** By slot: when its place is free again. */
  const held = new Map<string, number>();
  let granted = 0;
  let givenBack = 0;
  let blockedUntilMs = 0;
  let dayBlockedUntilMs = 0;
  let strangers = 0;
  const rule = createStrangerRule();

  return {
    strangers: () => strangers,
    noteStrangers: async (_account, requests) => {
      strangers += requests;
    },
    usedToday: () => granted - givenBack,
    held: () => [...held.values()].filter((freeMs) => freeMs > nowMs()).length,
    take: async ({ account, perMinute }) => {
      await roundTrip();
      const now = nowMs();
      if (now < dayBlockedUntilMs)
        return { granted: false, reason: 'day', retryInMs: dayBlockedUntilMs - now };
      const used = granted - givenBack;
      if (used >= perDay) return { granted: false, reason: 'day', retryInMs: 3_600_000 };
      if (now < blockedUntilMs) return { granted: false, reason: 'minute', retryInMs: blockedUntilMs - now };
      let soonestMs = Number.POSITIVE_INFINITY;
      for (const [slot, freeMs] of held) {
        if (freeMs <= now) held.delete(slot);
        else soonestMs = Math.min(soonestMs, freeMs);
      }
      if (held.size >= perMinute) return { granted: false, reason: 'minute', retryInMs: soonestMs - now };
      const delayMs = rule.delayMs([...held.values()], now);
      if (delayMs !== undefined) return { granted: false, reason: 'minute', retryInMs: delayMs };
      granted += 1;
      const ticket: Ticket = { account, slot: String(granted) };
      held.set(ticket.slot, now + minuteMs + sendWithinMs + 2_000);
      return {
        granted: true,
        ticket,
        usedToday: used + 1,
        grantedToday: granted,
        remainingToday: perDay - used - 1,
      };
    },
    settle: async ({ slot }, reading) => {
      const others = [...held].flatMap(([other, freeMs]) => (other === slot ? [] : freeMs));
      rule.answered(reading, others, nowMs());
      // Places are stored by tenths of a second, as the real ledger does.
      if (held.has(slot)) held.set(slot, Math.ceil((nowMs() + minuteMs + 50) / 100) * 100);
      await roundTrip();
    },
    giveBack: async ({ slot }) => {
      await roundTrip();
      held.delete(slot);
      givenBack += 1;
    },
    block: async (_account, scope, delayMs) => {
      if (scope !== 'minute') dayBlockedUntilMs = Math.max(dayBlockedUntilMs, nowMs() + delayMs);
      else {
        blockedUntilMs = Math.max(blockedUntilMs, nowMs() + delayMs);
        rule.refused(nowMs());
      }
      await roundTrip();
    },
  };
}
