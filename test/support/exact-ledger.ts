// The ledger of sql/migrations in memory, told the time: the same answers to the same questions, without
// Postgres. test/integration/ledger-model.test.ts holds the two together.
import type { KeyReading } from '../../src/core/budget.ts';
import { createStrangerRule } from './stranger-rule.ts';

export interface LedgerRules {
  readonly perMinute: number;
  readonly perDay: number;
  /** Requests reserved for people. */
  readonly reserve: number;
  /** UTC time of day at which the day renews. */
  readonly renewsMs: number;
  /** How long a place in the minute is held without a settlement. */
  readonly holdMs: number;
}

export interface Taken {
  readonly granted: boolean;
  readonly reason: 'minute' | 'day' | null;
  readonly retryInMs: number;
  readonly slotMs: number | null;
  readonly usedToday: number;
  readonly remainingToday: number;
  /** Day and hour that it was counted under; null: refused. */
  readonly counted: { readonly day: number; readonly hour: number } | null;
  readonly givenBackToday: number;
}

export interface ExactLedger {
  take(purpose: 'job' | 'people', nowMs: number): Taken;
  /** A request of `taken` never reached the server. */
  giveBack(purpose: 'job' | 'people', taken: Taken): void;
  settle(slotMs: number, nowMs: number, reading?: KeyReading): void;
  block(scope: 'minute' | 'day', delayMs: number, learn: boolean, nowMs: number): void;
  /** Used and given back, by days since 1970; and used by day, hour and purpose. */
  counts(): {
    readonly days: readonly (readonly [number, number, number])[];
    readonly hours: ReadonlyMap<string, number>;
  };
  /** What jobs may still spend. */
  left(nowMs: number): number;
  readonly renewsMs: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Times of places are stored in tenths of a second, rounded up. */
const tenthAfter = (ms: number) => Math.ceil(ms / 100) * 100;

export function createExactLedger(rules: LedgerRules): ExactLedger {
  /** Requests by the time at which their places are free again. */
  const places = new Map<number, number>();
  const used = new Map<number, number>();
  const givenBack = new Map<number, number>();
  /** By `day hour purpose`. */
  const hours = new Map<string, number>();
  let renewsMs = rules.renewsMs;
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  let closedUntilMs = Number.NEGATIVE_INFINITY;

  const rule = createStrangerRule();

  const placesList = () => [...places].flatMap(([freesMs, count]) => Array<number>(count).fill(freesMs));
  const dayOf = (ms: number) => Math.floor((ms - renewsMs) / dayMs);
  const add = <Key>(map: Map<Key, number>, key: Key, count: number) =>
    map.set(key, (map.get(key) ?? 0) + count);

  const learn = (opensMs: number, nowMs: number) => {
    let learned = (Math.ceil((opensMs - 5_000) / minuteMs) * minuteMs) % dayMs;
    if (learned % 3_600_000 <= minuteMs) learned -= learned % 3_600_000;
    renewsMs = learned;
    const ending = dayOf(nowMs);
    for (const map of [used, givenBack]) {
      for (const [day, count] of [...map]) {
        if (day <= ending) continue;
        map.delete(day);
        add(map, ending, count);
      }
    }
    for (const [key, count] of [...hours]) {
      const [day, ...rest] = key.split(' ');
      if (Number(day) <= ending) continue;
      hours.delete(key);
      add(hours, [ending, ...rest].join(' '), count);
    }
  };

  return {
    get renewsMs() {
      return renewsMs;
    },
    left: (nowMs) => {
      if (closedUntilMs > nowMs) return 0;
      return Math.max(rules.perDay - rules.reserve - (used.get(dayOf(nowMs)) ?? 0), 0);
    },
    take: (purpose, nowMs) => {
      const today = dayOf(nowMs);
      const usedNow = used.get(today) ?? 0;
      const allowed = rules.perDay - (purpose === 'people' ? 0 : rules.reserve);
      const refuse = (reason: 'minute' | 'day', untilMs: number, left: number): Taken => ({
        granted: false,
        reason,
        retryInMs: untilMs - nowMs,
        slotMs: null,
        usedToday: usedNow,
        remainingToday: left,
        counted: null,
        givenBackToday: givenBack.get(today) ?? 0,
      });
      if (closedUntilMs > nowMs) return refuse('day', closedUntilMs, 0);
      if (usedNow >= allowed)
        return refuse('day', (today + 1) * dayMs + renewsMs, Math.max(allowed - usedNow, 0));
      if (blockedUntilMs > nowMs) return refuse('minute', blockedUntilMs, allowed - usedNow);
      let taken = 0;
      let nextFreeMs = Number.POSITIVE_INFINITY;
      for (const [freesMs, count] of places) {
        if (freesMs <= nowMs || freesMs > nowMs + rules.holdMs + 61_000) places.delete(freesMs);
        else {
          taken += count;
          nextFreeMs = Math.min(nextFreeMs, freesMs);
        }
      }
      if (taken >= rules.perMinute) return refuse('minute', nextFreeMs, allowed - usedNow);
      const delayMs = rule.delayMs(placesList(), nowMs);
      if (delayMs !== undefined) return refuse('minute', nowMs + delayMs, allowed - usedNow);
      const slotMs = tenthAfter(nowMs + rules.holdMs);
      add(places, slotMs, 1);
      used.set(today, usedNow + 1);
      const hour = Math.floor(nowMs / 3_600_000);
      add(hours, `${today} ${hour} ${purpose}`, 1);
      return {
        granted: true,
        reason: null,
        retryInMs: 0,
        slotMs,
        usedToday: usedNow + 1,
        remainingToday: allowed - usedNow - 1,
        counted: { day: today, hour },
        givenBackToday: givenBack.get(today) ?? 0,
      };
    },
    counts: () => ({
      days: [...used].map(([day, count]) => [day, count, givenBack.get(day) ?? 0] as const),
      hours,
    }),
    giveBack: (purpose, { slotMs, counted }) => {
      if (slotMs === null || counted === null) return;
      // The day of the grant, or an earlier one that its requests were moved to.
      const days = [...hours.keys()].flatMap((key) => {
        const [day, hour, whose] = key.split(' ');
        return Number(day) <= counted.day && Number(hour) === counted.hour && whose === purpose
          ? Number(day)
          : [];
      });
      const day = Math.max(...days);
      const left = (map: Map<unknown, number>, key: unknown) => {
        const count = (map.get(key) ?? 0) - 1;
        if (count === 0) map.delete(key);
        else if (count > 0) map.set(key, count);
      };
      used.set(day, (used.get(day) ?? 0) - 1);
      add(givenBack, day, 1);
      left(hours, `${day} ${counted.hour} ${purpose}`);
      left(places, slotMs);
    },
    settle: (slotMs, nowMs, reading) => {
      const others = placesList();
      const own = others.indexOf(slotMs);
      if (own !== -1) others.splice(own, 1);
      rule.answered(reading, others, nowMs);
      const count = places.get(slotMs) ?? 0;
      if (count === 0) return;
      add(places, tenthAfter(nowMs + 60_050), 1);
      const left = (places.get(slotMs) ?? 0) - 1;
      if (left === 0) places.delete(slotMs);
      else places.set(slotMs, left);
    },
    block: (scope, delayMs, learns, nowMs) => {
      const opensMs = nowMs + delayMs;
      if (scope === 'minute') {
        blockedUntilMs = Math.max(blockedUntilMs, opensMs);
        rule.refused(nowMs);
      }
      if (scope === 'day') closedUntilMs = Math.max(closedUntilMs, opensMs);
      if (learns && scope === 'day' && delayMs >= 600_000 && delayMs <= dayMs + 300_000)
        learn(opensMs, nowMs);
    },
  };
}
