// What is known of somebody else who spends on the same key.

/** How long one that was seen in the server's count is expected back. */
const memoryMs = 2 * 60_000;
/** How long one that made the server refuse us is. */
const refusedMemoryMs = 15 * 60_000;
/** So near to the limit that only one request at a time is risked, at least. */
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
   * Places that may be taken between two looks: the most that was, a quarter of the limit while someone is
   * there, and a third once that was not enough.
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

  /** The clock was set: nothing that was noted by it holds. */
  forget(): void {
    this.#seenUntilMs = 0;
  }

  #forgive(nowMs: number): void {
    if (this.seen(nowMs)) return;
    this.#largestBurst = 0;
    this.#refusedUs = false;
  }
}
