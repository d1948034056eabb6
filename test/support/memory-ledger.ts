// The ledger in memory behind the gate's port, for simulations: it is the one that
// test/integration/ledger-model.test.ts holds together with Postgres's. Its clock is its own, as Postgres's is; processes
// share one instance, and its day renews a day after it was made.
import type { Ledger } from '../../src/core/budget.ts';
import { createExactLedger } from './exact-ledger.ts';

export interface MemoryLedger extends Ledger {
  /** Granted and not given back. */
  usedToday(): number;
  /** Places of the minute that are taken now. */
  held(): number;
  /** Requests of others on the key that gates noted. */
  notedOfOthers(): number;
}

interface MemoryLedgerOptions {
  /** The ledger's own clock. */
  readonly nowMs: () => number;
  /** Time of a round trip to it. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  readonly perDay?: number;
}

export function createMemoryLedger({ nowMs, sleep, perDay = 5_000 }: MemoryLedgerOptions): MemoryLedger {
  const exact = createExactLedger({
    perMinute: 60,
    perDay,
    reserve: 0,
    renewsMs: nowMs() % 86_400_000,
    holdMs: 72_000,
  });
  const roundTrip = async () => sleep?.(2);
  return {
    notedOfOthers: () =>
      [...exact.counts().hours].reduce(
        (sum, [key, requests]) => sum + (key.endsWith(' other_users') ? requests : 0),
        0,
      ),
    usedToday: () => exact.counts().days.reduce((sum, [, used]) => sum + used, 0),
    held: () => exact.held(nowMs()),
    take: async ({ account, purpose, perMinute }) => {
      await roundTrip();
      const taken = exact.take(purpose, nowMs(), perMinute);
      const { reason, retryInMs, slotMs, counted, remainingToday } = taken;
      if (slotMs === null || counted === null)
        return { granted: false, reason: reason ?? 'minute', retryInMs };
      const ticket = { account, slot: `${slotMs} ${counted.day} ${counted.hour}` };
      return { granted: true, ticket, remainingToday };
    },
    settle: async ({ slot }, reading) => {
      exact.settle(placeOf(slot), nowMs(), reading);
      await roundTrip();
    },
    giveBack: async ({ slot }, { purpose }) => {
      await roundTrip();
      exact.giveBack(purpose, placeOf(slot));
    },
    block: async (_account, scope, delayMs) => {
      exact.block(scope === 'minute' ? scope : 'day', delayMs, false, nowMs());
      await roundTrip();
    },
  };
}

function placeOf(slot: string) {
  const [slotMs = 0, day = 0, hour = 0] = slot.split(' ').map(Number);
  return { slotMs, counted: { day, hour } };
}
