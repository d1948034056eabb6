// What is known of somebody else who uses the same key.

/** For how long a stranger that was seen in the server's count is expected again. */
const memoryMs = 2 * 60_000;
/** The same for a stranger who made the server refuse a request of ours. */
const refusedMemoryMs = 15 * 60_000;
/** This near to the limit only one request at a time is risked; at least. */
const leastBurst = 5;

export class Stranger {
  #seenUntilMs = 0;
  #lastForeign = 0;
  #refusedUs = false;
  /** The most that was spent between two looks. */
  #largestBurst = 0;

  seen(nowMs: number): boolean {
    return nowMs < this.#seenUntilMs;
  }

  /**
   * Places that the stranger may take between two looks: the most so far; at least a quarter of the limit while
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

  /** The clock was set: noted times no longer hold. */
  forget(): void {
    this.#seenUntilMs = 0;
  }

  #forgive(nowMs: number): void {
    if (this.seen(nowMs)) return;
    this.#largestBurst = 0;
    this.#refusedUs = false;
  }
}
