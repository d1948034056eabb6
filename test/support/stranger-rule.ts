// The rule of sync.take_token for a key that a stranger spends too, in memory: the same answers to the
// same questions. test/integration/ledger-model.test.ts holds the two together.
import type { KeyReading } from '../../src/core/budget.ts';

const minuteMs = 60_000;
const seenMs = 2 * minuteMs;
const refusedMemoryMs = 15 * minuteMs;
const openMarginMs = 250;
const lookAgainMs = 100;
/** After a longer time the stranger may have taken more than one burst. */
const freshMs = 5_000;
/** A place that frees later belongs to a request that may not have arrived yet. */
export const underWayMs = minuteMs + 200;

interface Reading extends KeyReading {
  readonly sure: number;
  readonly readAtMs: number;
}

export interface StrangerRule {
  /** Undefined: may go; else milliseconds to wait. `frees`: when each place is free again. */
  delayMs(frees: readonly number[], nowMs: number): number | undefined;
  /** `frees`: without the place of the request that was answered. Undefined reading: the answer told nothing. */
  answered(reading: KeyReading | undefined, frees: readonly number[], nowMs: number): void;
  refused(nowMs: number): void;
}

export function createStrangerRule(): StrangerRule {
  let expectedUntilMs = Number.NEGATIVE_INFINITY;
  let refusedMs = Number.NEGATIVE_INFINITY;
  let burst = 5;
  let last: Reading | undefined;

  const expect = (nowMs: number, atLeast: number, forMs: number) => {
    burst = expectedUntilMs > nowMs ? Math.max(burst, atLeast) : atLeast;
    expectedUntilMs = Math.max(expectedUntilMs, nowMs + forMs);
  };
  /** The reading is about a minute that is over. */
  const isOver = ({ fixed, readAtMs, endsByMs, latencyMs }: Reading, nowMs: number) =>
    readAtMs > nowMs ||
    nowMs >= (fixed ? readAtMs + endsByMs + openMarginMs : readAtMs + minuteMs + latencyMs);
  /** What the server certainly has room for, but for a burst of the stranger. */
  const freeBy = (reading: Reading, frees: readonly number[], underWay: number, nowMs: number) => {
    if (reading.fixed) return reading.remaining - underWay;
    const foreign = Math.max(reading.limit - reading.remaining - reading.sure, 0);
    const came = Math.ceil((foreign * (nowMs - reading.readAtMs)) / minuteMs);
    return reading.remaining + reading.sure - frees.length - came;
  };
  return {
    delayMs(frees, nowMs) {
      if (expectedUntilMs <= nowMs) return undefined;
      const underWay = frees.filter((ms) => ms > nowMs + underWayMs).length;
      const isQuiet = refusedMs <= nowMs - minuteMs;
      if (last === undefined || isOver(last, nowMs)) {
        return underWay === 0 && (isQuiet || last === undefined || last.fixed) ? undefined : lookAgainMs;
      }
      const free = freeBy(last, frees, underWay, nowMs);
      const isFresh = !last.fixed || nowMs - last.readAtMs <= last.latencyMs + freshMs;
      if (free > burst && isFresh) return undefined;
      if (underWay === 0 && free > 0 && (last.fixed || isQuiet)) return undefined;
      if (!last.fixed || last.remaining > 0) return lookAgainMs;
      return last.readAtMs + last.endsByMs + openMarginMs - nowMs;
    },
    answered(reading, frees, nowMs) {
      if (reading?.stranger === true) expect(nowMs, reading.burst, seenMs);
      if (expectedUntilMs <= nowMs) return;
      if (reading === undefined) {
        if (last !== undefined) last = { ...last, remaining: Math.max(last.remaining - 1, 0) };
        return;
      }
      const { latencyMs } = reading;
      // A place of ours that is still held may be one that was refused.
      const uncounted = refusedMs > nowMs - minuteMs ? 1 : 0;
      const sure =
        1 -
        uncounted +
        frees.filter((ms) => ms > nowMs + latencyMs + 100 && ms <= nowMs + minuteMs - latencyMs).length;
      const next = { ...reading, sure, readAtMs: nowMs };
      if (last === undefined || last.readAtMs > nowMs || last.fixed !== reading.fixed) last = next;
      else if (!reading.fixed) {
        if (nowMs - latencyMs >= last.readAtMs - last.latencyMs) last = next;
      } else if (nowMs + reading.endsFromMs > last.readAtMs + last.endsByMs) last = next;
      else if (
        nowMs + reading.endsByMs >= last.readAtMs + last.endsFromMs &&
        reading.remaining <= last.remaining
      ) {
        last = next;
      }
    },
    refused(nowMs) {
      expect(nowMs, 5, refusedMemoryMs);
      refusedMs = nowMs;
      // The server did not count the refused request, whose reading this is.
      if (last !== undefined) last = { ...last, sure: last.sure - 1 };
    },
  };
}
