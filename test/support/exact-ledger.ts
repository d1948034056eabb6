// The ledger of sql/migrations in memory, told the time: the same answers to the same questions, without
// Postgres. test/integration/ledger-model.test.ts holds the two together.
import type { KeyReading } from '../../src/core/budget.ts';

interface LedgerRules {
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
  readonly remainingToday: number;
  /** Day and hour that it was counted under; null: refused. */
  readonly counted: { readonly day: number; readonly hour: number } | null;
}

interface ExactLedger {
  /** `perMinute`: default that of the rules. */
  take(purpose: 'job' | 'people', nowMs: number, perMinute?: number): Taken;
  /** A request of `taken` never reached the server. */
  giveBack(purpose: 'job' | 'people', taken: Pick<Taken, 'slotMs' | 'counted'>): void;
  settle(taken: Pick<Taken, 'slotMs' | 'counted'>, nowMs: number, reading?: KeyReading): void;
  block(scope: 'minute' | 'day', delayMs: number, learn: boolean, nowMs: number): void;
  /** Used, by days since 1970; and used by day, hour and purpose. */
  counts(): {
    readonly days: readonly (readonly [number, number])[];
    readonly hours: ReadonlyMap<string, number>;
  };
  /** Places of the minute that are taken now. */
  held(nowMs: number): number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
const seenMs = 2 * minuteMs;
const refusedMemoryMs = 15 * minuteMs;
const openMarginMs = 250;
const lookAgainMs = 100;
/** After a longer time the others may have taken more than one burst. */
const freshMs = 5_000;
/** A place that frees later belongs to a request that may not have arrived yet. */
const underWayMs = minuteMs + 200;
/** After a longer pause the end of the minute does not show which kind it is. */
const pauseMs = 20_000;
/** A place is remembered for this long after it was freed, for answers that were under way. */
const rememberMs = 65_000;
const longestJudgedMs = 60_000;
/** Others may take this share of the limit between two looks. */
const burstShare = 1 / 3;

interface Reading extends KeyReading {
  readonly fixed: boolean;
  readonly endsFromMs: number;
  readonly endsByMs: number;
  readonly sure: number;
  readonly readAtMs: number;
}

interface OtherUsersRule {
  /** Undefined: may go; else milliseconds to wait. `frees`: when each place is free again. */
  delayMs(frees: () => readonly number[], nowMs: number): number | undefined;
  /**
   * `frees`: without the place of the request that was answered. Undefined reading: the answer told nothing. Returns
   * requests of others that were not seen before.
   */
  answered(reading: KeyReading | undefined, frees: readonly number[], nowMs: number): number;
  /** Latest moment until which others are expected. */
  expectedUntilMs(): number;
  refused(nowMs: number): void;
}

/** For a key that others use too. */
function createOtherUsersRule(): OtherUsersRule {
  let expectedUntilMs = Number.NEGATIVE_INFINITY;
  let refusedMs = Number.NEGATIVE_INFINITY;
  let seen = 0;
  let seenSinceMs = Number.NEGATIVE_INFINITY;
  let last: Reading | undefined;

  const expect = (untilMs: number) => {
    expectedUntilMs = Math.max(expectedUntilMs, untilMs);
  };
  /** The reading is about a minute that is over. */
  const isOver = ({ fixed, readAtMs, endsByMs, latencyMs }: Reading, nowMs: number) =>
    readAtMs > nowMs || nowMs >= (fixed ? endsByMs + openMarginMs : readAtMs + minuteMs + latencyMs);
  /** Computes what the server certainly has room for, but for a burst of the others. */
  const freeBy = (reading: Reading, frees: readonly number[], underWay: number, nowMs: number) => {
    if (reading.fixed) return reading.remaining - underWay;
    const foreign = Math.max(reading.limit - reading.remaining - reading.sure, 0);
    const came = Math.ceil((foreign * (nowMs - reading.readAtMs)) / minuteMs);
    return reading.remaining + reading.sure - frees.length - came;
  };
  return {
    delayMs(list, nowMs) {
      if (expectedUntilMs <= nowMs) return undefined;
      const frees = list();
      const underWay = frees.filter((ms) => ms > nowMs + underWayMs).length;
      const isQuiet = refusedMs <= nowMs - minuteMs;
      if (last === undefined || isOver(last, nowMs)) {
        return underWay === 0 && (isQuiet || last === undefined || last.fixed) ? undefined : lookAgainMs;
      }
      const free = freeBy(last, frees, underWay, nowMs);
      const isFresh = !last.fixed || nowMs - last.readAtMs <= last.latencyMs + freshMs;
      if (free > Math.max(5, Math.floor(last.limit * burstShare)) && isFresh) return undefined;
      if (underWay === 0 && free > 0 && (last.fixed || isQuiet)) return undefined;
      if (!last.fixed || last.remaining > 0) return lookAgainMs;
      return last.endsByMs + openMarginMs - nowMs;
    },
    answered(reading, frees, nowMs) {
      if (reading === undefined) {
        if (last !== undefined && expectedUntilMs > nowMs)
          last = { ...last, remaining: Math.max(last.remaining - 1, 0) };
        return 0;
      }
      const { latencyMs, limit, remaining, resetMs } = reading;
      const endsFromMs = nowMs - latencyMs + resetMs - 1_000;
      const endsByMs = nowMs + resetMs + 1_000;
      // Every request of ours that can be in the server's count, this one too.
      const ours = 1 + frees.filter((ms) => ms > endsFromMs).length;
      const foreign = latencyMs > longestJudgedMs ? 0 : limit - remaining - ours;
      if (foreign > 0) expect(nowMs + seenMs);
      if (expectedUntilMs <= nowMs) return 0;

      const before = last;
      const isLater = before !== undefined && endsFromMs > before.endsByMs;
      let fixed = before?.fixed ?? true;
      if (isLater) {
        // A fixed minute ends at least a minute after the one before; in a sliding one the end drifts, after a pause as far.
        const isWhole = endsByMs >= before.endsFromMs + minuteMs;
        if (!isWhole || nowMs - latencyMs <= before.readAtMs + pauseMs) fixed = isWhole;
      }
      const isNewMinute = fixed ? before === undefined || isLater : nowMs >= seenSinceMs + minuteMs;
      // In a sliding minute those that were counted before may still be in it.
      if (isNewMinute) {
        seenSinceMs = nowMs;
        seen = fixed ? 0 : Math.max(foreign, 0);
      }
      const noted = Math.max(foreign - seen, 0);
      seen = Math.max(foreign, seen);

      // A place of ours that is still held may be one that was refused.
      const uncounted = refusedMs > nowMs - minuteMs ? 1 : 0;
      const sure =
        1 -
        uncounted +
        frees.filter((ms) => ms > nowMs + latencyMs + 100 && ms <= nowMs + minuteMs - latencyMs).length;
      const isNews =
        before === undefined ||
        before.readAtMs > nowMs ||
        before.fixed !== fixed ||
        (fixed
          ? isLater || (endsByMs >= before.endsFromMs && remaining <= before.remaining)
          : nowMs - latencyMs >= before.readAtMs - before.latencyMs);
      if (isNews) last = { ...reading, fixed, endsFromMs, endsByMs, sure, readAtMs: nowMs };
      return noted;
    },
    expectedUntilMs: () => expectedUntilMs,
    refused(nowMs) {
      expect(nowMs + refusedMemoryMs);
      refusedMs = nowMs;
      // The server did not count the refused request, whose reading this is.
      if (last !== undefined) last = { ...last, sure: last.sure - 1 };
    },
  };
}

/** Times of places are stored in tenths of a second, rounded up. */
const tenthAfter = (ms: number) => Math.ceil(ms / 100) * 100;

export function createExactLedger(rules: LedgerRules): ExactLedger {
  /** Requests by the time at which their places are free again. */
  const places = new Map<number, number>();
  const used = new Map<number, number>();
  /** By `day hour purpose`. */
  const hours = new Map<string, number>();
  let renewsMs = rules.renewsMs;
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  let closedUntilMs = Number.NEGATIVE_INFINITY;

  let rule = createOtherUsersRule();

  const placesList = () => [...places].flatMap(([freesMs, count]) => Array<number>(count).fill(freesMs));
  const dayOf = (ms: number) => Math.floor((ms - renewsMs) / dayMs);
  const add = <Key>(map: Map<Key, number>, key: Key, count: number) =>
    map.set(key, (map.get(key) ?? 0) + count);

  const learn = (opensMs: number, nowMs: number) => {
    let learned = (Math.ceil((opensMs - 5_000) / minuteMs) * minuteMs) % dayMs;
    if (learned % 3_600_000 <= minuteMs) learned -= learned % 3_600_000;
    renewsMs = learned;
    const ending = dayOf(nowMs);
    for (const [day, count] of [...used]) {
      if (day <= ending) continue;
      used.delete(day);
      add(used, ending, count);
    }
    for (const [key, count] of [...hours]) {
      const [day, ...rest] = key.split(' ');
      if (Number(day) <= ending) continue;
      hours.delete(key);
      add(hours, [ending, ...rest].join(' '), count);
    }
  };

  return {
    held: (nowMs) => placesList().filter((freesMs) => freesMs > nowMs).length,
    take: (purpose, nowMs, perMinute = rules.perMinute) => {
      const today = dayOf(nowMs);
      const usedNow = used.get(today) ?? 0;
      const allowed = rules.perDay - (purpose === 'people' ? 0 : rules.reserve);
      const refuse = (reason: 'minute' | 'day', untilMs: number, left: number): Taken => ({
        granted: false,
        reason,
        retryInMs: untilMs - nowMs,
        slotMs: null,
        remainingToday: left,
        counted: null,
      });
      if (closedUntilMs > nowMs) return refuse('day', closedUntilMs, 0);
      if (usedNow >= allowed)
        return refuse('day', (today + 1) * dayMs + renewsMs, Math.max(allowed - usedNow, 0));
      if (blockedUntilMs > nowMs) return refuse('minute', blockedUntilMs, allowed - usedNow);
      // Expected by a clock that was ahead.
      if (rule.expectedUntilMs() > nowMs + refusedMemoryMs + minuteMs) rule = createOtherUsersRule();
      let taken = 0;
      let nextFreeMs = Number.POSITIVE_INFINITY;
      for (const [freesMs, count] of places) {
        if (freesMs <= nowMs - rememberMs || freesMs > nowMs + rules.holdMs + 61_000) places.delete(freesMs);
        else if (freesMs > nowMs) {
          taken += count;
          nextFreeMs = Math.min(nextFreeMs, freesMs);
        }
      }
      if (taken >= perMinute) return refuse('minute', nextFreeMs, allowed - usedNow);
      const delayMs = rule.delayMs(() => placesList().filter((ms) => ms > nowMs), nowMs);
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
        remainingToday: allowed - usedNow - 1,
        counted: { day: today, hour },
      };
    },
    counts: () => ({
      days: [...used],
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
      left(hours, `${day} ${counted.hour} ${purpose}`);
      left(places, slotMs);
    },
    settle: ({ slotMs, counted }, nowMs, reading) => {
      if (slotMs === null || counted === null) return;
      const others = placesList();
      const own = others.indexOf(slotMs);
      if (own !== -1) others.splice(own, 1);
      const told = reading && {
        ...reading,
        latencyMs: Math.max(reading.latencyMs, nowMs - (slotMs - rules.holdMs) + 100),
      };
      const noted = rule.answered(told, others, nowMs);
      if (noted > 0) add(hours, `${counted.day} ${counted.hour} other_users`, noted);
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
