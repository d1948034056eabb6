// Finds what the server's rate headers allow beyond the ledger's own rule: a pure state machine, told the
// time. It can only hold back. Alone on the key the ledger is enough; headers show other users and lower
// limits. Once another user is seen each reading goes to the ledger, which then holds back every process on
// the key.
import type { KeyReading } from '../../core/budget.ts';

export interface RateHeaders {
  /** Requests a minute the server allows. */
  readonly limit?: number;
  /** Requests remaining in the server's current minute. */
  readonly remaining?: number;
  /** Seconds until the minute renews. */
  readonly resetS?: number;
}

type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>;

// A minute renews within a minute; far more is another unit (an epoch, milliseconds) and means nothing here.
const longestResetS = 120;

/**
 * Reads the three rate headers (api.md, "Limits"). A missing or garbled one reads as undefined. Header names are
 * expected in lower case, as undici gives them.
 */
export function readRateHeaders(headers: HeaderBag): RateHeaders {
  const limit = readNumber(headers['x-ratelimit-limit']);
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const resetS = readNumber(headers['x-ratelimit-reset']);
  return {
    ...(limit !== undefined && limit >= 1 && { limit: Math.floor(limit) }),
    ...(remaining !== undefined && { remaining: Math.max(0, Math.floor(remaining)) }),
    ...(resetS !== undefined && resetS >= 0 && resetS <= longestResetS && { resetS }),
  };
}

function readNumber(value: string | readonly string[] | undefined): number | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  if (text === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** Finer steps would only cost memory where a server allows millions a minute. */
const stepMs = 100;
const rememberMs = 150_000;

interface Step {
  readonly atMs: number;
  /** Granted before this step. */
  readonly before: number;
}

class Spending {
  #steps: Step[] = [];
  #total = 0;
  #lastUsedToday = 0;

  /** Notes a grant at `nowMs`; `usedToday` counts every process on the ledger, this grant included. */
  add(nowMs: number, usedToday: number): void {
    const before = this.#total;
    // A new day starts to count at zero again.
    this.#total += usedToday > this.#lastUsedToday ? usedToday - this.#lastUsedToday : usedToday;
    this.#lastUsedToday = usedToday;
    const last = this.#steps.at(-1);
    if (last === undefined || nowMs - last.atMs >= stepMs) this.#steps.push({ atMs: nowMs, before });
    // The newest step that is too old stays: it bounds what came after it.
    while (this.#steps.length > 1 && (this.#steps[1]?.atMs ?? nowMs) < nowMs - rememberMs)
      this.#steps.shift();
  }

  /** Forgets the times noted so far: every grant may have been just now. */
  forget(): void {
    this.#steps = [];
  }

  /** Requests granted since this process began to count, and today before that. */
  get total(): number {
    return this.#total;
  }

  /** Lower bound of what had been granted before `atMs`; 0 for a time before the first grant known here. */
  before(atMs: number): number {
    return this.#steps.findLast((step) => step.atMs <= atMs)?.before ?? 0;
  }
}

/** For how long somebody else who was seen in the server's count is expected again. */
const memoryMs = 2 * 60_000;
/** The same for somebody who made the server refuse a request of ours. */
const refusedMemoryMs = 15 * 60_000;
/** Minimum distance to the limit within which only one request at a time is risked. */
const leastBurst = 5;

class OtherUsers {
  #seenUntilMs = 0;
  #lastForeign = 0;
  #refusedUs = false;
  /** The most that was spent between two looks. */
  #largestBurst = 0;

  seen(nowMs: number): boolean {
    return nowMs < this.#seenUntilMs;
  }

  /**
   * Places that the others may take between two looks: the most so far; at least a quarter of the limit while
   * somebody is there, and a third once that was not enough.
   */
  burst(nowMs: number, limit: number): number {
    if (!this.seen(nowMs)) return leastBurst;
    return Math.max(leastBurst, Math.floor(limit / (this.#refusedUs ? 3 : 4)), this.#largestBurst);
  }

  /** `foreign`: requests in the server's count that are surely not ours; may be negative. */
  judge(nowMs: number, foreign: number, limit: number): void {
    this.#forgive(nowMs);
    if (foreign > 0) {
      const burst = Math.min(foreign - Math.max(0, this.#lastForeign), Math.floor(limit / 2));
      this.#largestBurst = Math.max(this.#largestBurst, burst);
      this.#seenUntilMs = Math.max(this.#seenUntilMs, nowMs + memoryMs);
    }
    this.#lastForeign = foreign;
  }

  refused(nowMs: number): void {
    this.#forgive(nowMs);
    this.#refusedUs = true;
    this.#seenUntilMs = nowMs + refusedMemoryMs;
  }

  /** Forgets noted times, because the clock was set. */
  forget(): void {
    this.#seenUntilMs = 0;
  }

  #forgive(nowMs: number): void {
    if (this.seen(nowMs)) return;
    this.#largestBurst = 0;
    this.#refusedUs = false;
  }
}

/** `fixed`: the minute renews at once; `sliding`: each request leaves the count a minute after it came. */
type WindowKind = 'unknown' | 'fixed' | 'sliding';

const windowMs = 60_000;
/** The server may renew a little later than its whole seconds say. */
const openMarginMs = 250;
/** Allowed for latency and rounding where a request is placed in the server's minute. */
const slackMs = 2_000;
/** A clock that shows less than before by more than this was set back. */
const setBackMs = 1_000;
/** After a longer pause the end of the minute does not show which kind it is. */
const pauseMs = 20_000;
/** After a longer silence, or when the clock was set forward by more, noted times no longer count. Waiting work looks every 5 s. */
const silenceMs = 10_000;

/** If all answers say this long that nothing remains, and none is refused, the headers count other things. */
const longestEmptyMs = 3 * 60_000;
const leastEmptyAnswers = 3;

/** State at the start of a request; handed back with its answer. */
export interface Start {
  readonly atMs: number;
  /** Requests the ledger had granted to all processes, this one included. */
  readonly total: number;
  /** Requests this process had started, this one included. */
  readonly own: number;
}

/** When the current minute ends, as closely as whole seconds and latency tell. */
interface End {
  readonly lowMs: number;
  readonly highMs: number;
}

interface Reading {
  readonly start: Start;
  readonly latencyMs: number;
  readonly limit: number;
  readonly remaining: number;
  readonly end: End;
}

export class RateWindow {
  readonly #spending = new Spending();
  readonly #others = new OtherUsers();
  #kind: WindowKind = 'unknown';
  #limit: number | undefined;
  #end: End | undefined;
  #previousEnd: End | undefined;
  /** The newest reading of the current minute, which is the lowest one where minutes are fixed. */
  #lowest: Reading | undefined;
  #unjudged: Reading[] = [];
  #own = 0;
  #inFlight = 0;
  #newestMs = 0;
  #answeredMs = 0;
  /** Answers in a row that said that nothing remains, although each request had passed, and when the first one came. */
  #emptyAnswers = 0;
  #emptySinceMs = 0;
  /** Requests of others: the most seen in one minute, when that began, and all of them so far. */
  #foreignMost = 0;
  #foreignEnd: End | undefined;
  #foreignSinceMs = 0;
  #othersRequests = 0;
  /** One second on servers that round the reset down (they can say 0). */
  #roundingMs = 0;

  get kind(): WindowKind {
    return this.#kind;
  }

  /** The server's own limit a minute, once a header has told it. */
  get limit(): number | undefined {
    return this.#limit;
  }

  othersSeen(nowMs: number): boolean {
    return this.#others.seen(nowMs);
  }

  /** Minimum number of requests in the server's count that nobody on the ledger made. */
  get othersRequests(): number {
    return this.#othersRequests;
  }

  /** The headers only ever say that nothing remains: the ledger alone sets the pace, until they say otherwise or a request is refused. */
  ignoresHeaders(nowMs: number): boolean {
    return this.#emptyAnswers >= leastEmptyAnswers && nowMs - this.#emptySinceMs >= longestEmptyMs;
  }

  /** Milliseconds until one more request may be asked of the ledger; 0: now. An answer may shorten it. */
  delayMs(nowMs: number): number {
    this.#notice(nowMs);
    // In a sliding minute the ledger knows better which requests no longer count.
    return this.#kind === 'sliding' ? 0 : this.#fixedDelayMs(nowMs);
  }

  /** Notes that the ledger granted a request; `usedToday` counts every process on the ledger. */
  started(nowMs: number, usedToday: number): Start {
    this.#notice(nowMs);
    this.#inFlight += 1;
    this.#own += 1;
    this.#spending.add(nowMs, usedToday);
    for (const reading of this.#unjudged) this.#judge(reading, nowMs);
    this.#unjudged = [];
    return { atMs: nowMs, total: this.#spending.total, own: this.#own };
  }

  /** Notes that its answer is in, or that it failed. Called once for each `started`. */
  ended(): void {
    this.#inFlight -= 1;
  }

  /** Notes that the server refused although the window looked free: somebody else uses the key. */
  refused(nowMs: number): void {
    this.#emptyAnswers = 0;
    this.#others.refused(nowMs);
  }

  /** Takes an answer's headers; answers may come in any order. Returns what other processes must know. */
  observe(start: Start, answeredMs: number, headers: RateHeaders): KeyReading | undefined {
    this.#notice(answeredMs);
    const { limit = this.#limit, remaining, resetS } = headers;
    this.#limit = limit;
    if (limit === undefined || remaining === undefined || resetS === undefined) return undefined;
    if (remaining > 0) this.#emptyAnswers = 0;
    else if (this.#emptyAnswers === 0) this.#emptySinceMs = answeredMs;
    if (remaining === 0) this.#emptyAnswers += 1;
    if (this.ignoresHeaders(answeredMs)) {
      this.#end = undefined;
      this.#unjudged = [];
      return undefined;
    }
    if (resetS === 0) this.#roundingMs = 1_000;
    const startedMs = Math.min(start.atMs, answeredMs);
    const resetMs = resetS * 1_000;
    const end = { lowMs: startedMs + resetMs - 1_000, highMs: answeredMs + resetMs + this.#roundingMs };
    const reading = { start, latencyMs: answeredMs - startedMs, limit, remaining, end };
    this.#place(reading, startedMs > this.#answeredMs + pauseMs);
    this.#answeredMs = Math.max(answeredMs, this.#answeredMs);
    this.#unjudged.push(reading);
    return {
      otherUsers: this.othersSeen(answeredMs),
      fixed: this.#kind !== 'sliding',
      limit,
      remaining,
      latencyMs: reading.latencyMs,
      endsFromMs: end.lowMs - answeredMs,
      endsByMs: end.highMs - answeredMs,
      burst: this.#others.burst(answeredMs, limit),
    };
  }

  #fixedDelayMs(nowMs: number): number {
    if (this.#end === undefined || this.#lowest === undefined) return 0;
    const opensInMs = this.#end.highMs + openMarginMs - nowMs;
    if (opensInMs <= 0) {
      this.#previousEnd = this.#end;
      this.#end = undefined;
      return 0;
    }
    const free = this.#lowest.remaining - this.#inFlight - this.#grantedToOthersSince(this.#lowest);
    // Near the limit somebody else may take the last places, so only one is risked.
    const isRisky = free - 1 < this.#others.burst(nowMs, this.#lowest.limit);
    return free >= 1 && (!isRisky || this.#inFlight === 0) ? 0 : opensInMs;
  }

  /** Upper bound: some of them may be in the reading already. */
  #grantedToOthersSince(reading: Reading): number {
    return this.#spending.total - reading.start.total - (this.#own - reading.start.own);
  }

  /** Begins anew and trusts the ledger if the clock was set: times that were read before are useless. */
  #notice(nowMs: number): void {
    const isSetBack = nowMs < this.#newestMs - setBackMs;
    if (isSetBack || nowMs > this.#newestMs + silenceMs) {
      this.#spending.forget();
      this.#end = undefined;
      this.#previousEnd = undefined;
      this.#unjudged = [];
      this.#emptyAnswers = 0;
      if (isSetBack) this.#others.forget();
      this.#newestMs = nowMs;
      this.#answeredMs = 0;
    }
    this.#newestMs = Math.max(nowMs, this.#newestMs);
  }

  /** Finds the minute that a reading belongs to. */
  #place(reading: Reading, afterPause: boolean): void {
    const { end } = reading;
    // Late: it tells about a minute that is over.
    if (this.#previousEnd !== undefined && end.lowMs <= this.#previousEnd.highMs) return;
    const known = this.#end ?? this.#previousEnd;
    if (known !== undefined && end.lowMs > known.highMs) {
      // A fixed minute ends at least a minute after the one before it; in a sliding one the end just drifts.
      // After a pause it has drifted as far.
      const isFixed = end.highMs >= known.lowMs + windowMs - 1_000;
      if (!isFixed || this.#kind === 'unknown' || !afterPause) this.#kind = isFixed ? 'fixed' : 'sliding';
    }
    if (this.#end === undefined || end.lowMs > this.#end.highMs) {
      this.#previousEnd = known;
      this.#end = end;
      this.#lowest = reading;
      return;
    }
    this.#end = {
      lowMs: Math.max(end.lowMs, this.#end.lowMs),
      highMs: Math.min(end.highMs, this.#end.highMs),
    };
    if (this.#lowest === undefined || reading.remaining <= this.#lowest.remaining) this.#lowest = reading;
  }

  /**
   * Finds what the server counted and the ledger did not grant. Judged at the grant after the reading, when
   * the ledger has also told what other processes on the key were granted since.
   */
  #judge(reading: Reading, nowMs: number): void {
    // Fixed: the minute began a minute before its end. Sliding: the oldest request in the count came then.
    const ours = this.#spending.total - this.#spending.before(reading.end.lowMs - windowMs - slackMs);
    const foreign = reading.limit - reading.remaining - ours;
    const isNewMinute =
      this.#kind === 'sliding'
        ? nowMs >= this.#foreignSinceMs + windowMs
        : this.#foreignEnd !== undefined && reading.end.lowMs > this.#foreignEnd.highMs;
    if (isNewMinute || this.#foreignEnd === undefined) {
      this.#foreignEnd = reading.end;
      this.#foreignSinceMs = nowMs;
      // In a sliding minute those that were counted before may still be in it.
      this.#foreignMost = this.#kind === 'sliding' ? Math.max(foreign, 0) : 0;
    }
    this.#othersRequests += Math.max(foreign - this.#foreignMost, 0);
    this.#foreignMost = Math.max(foreign, this.#foreignMost);
    this.#others.judge(nowMs, foreign, reading.limit);
  }
}
