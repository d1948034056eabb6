// What is known of somebody else who spends on the same key, and how careful that makes us.

const windowMs = 60_000;
/** How long a stranger is expected back. */
const memoryMs = 2 * windowMs;
/** So near to the limit that only one request at a time is risked, at least. */
const leastNearLimit = 5;
/** Places left to a stranger after each refusal of ours. */
const cautionStep = 2;

export class Stranger {
  #seenUntilMs = 0;
  #refusedMs = Number.NEGATIVE_INFINITY;
  #caution = 0;
  #lastForeign = 0;
  /** The most that was spent between two looks. */
  #largestBurst = 0;

  seen(nowMs: number): boolean {
    return nowMs < this.#seenUntilMs;
  }

  /** `foreign`: requests in the server's count that are surely not ours; may be negative. */
  judge(nowMs: number, foreign: number, limit: number): void {
    if (!this.seen(nowMs)) this.#largestBurst = 0;
    if (foreign > 0) {
      const burst = Math.min(foreign - Math.max(0, this.#lastForeign), Math.floor(limit / 2));
      this.#largestBurst = Math.max(this.#largestBurst, burst);
      this.#seenUntilMs = nowMs + memoryMs;
    }
    this.#lastForeign = foreign;
  }

  refused(nowMs: number): void {
    this.#caution = this.#cautionAt(nowMs) + cautionStep;
    this.#refusedMs = nowMs;
    this.#seenUntilMs = nowMs + memoryMs;
  }

  /** No refusal for a minute. */
  quiet(nowMs: number): boolean {
    return nowMs >= this.#refusedMs + windowMs;
  }

  /** Places to leave free in a sliding minute; one less for each minute without a refusal. */
  caution(nowMs: number, limit: number): number {
    return Math.min(this.#cautionAt(nowMs), Math.floor(limit / 4));
  }

  /** Places left below which only one request may be in flight. */
  nearLimit(nowMs: number): number {
    return this.seen(nowMs) ? Math.max(leastNearLimit, this.#largestBurst) : leastNearLimit;
  }

  /** The clock was set: nothing that was noted by it holds. */
  forget(): void {
    this.#seenUntilMs = 0;
    this.#refusedMs = Number.NEGATIVE_INFINITY;
  }

  #cautionAt(nowMs: number): number {
    return Math.max(0, this.#caution - Math.max(0, Math.floor((nowMs - this.#refusedMs) / windowMs)));
  }
}
