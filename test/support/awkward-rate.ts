// The server's fixed minutes: a count that renews at once when the minute is over.

export class RateMinute {
  readonly limit: number;
  #used = 0;
  #endsAtMs = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Somebody else on the key used so much of a minute that ends soon. */
  borrow(used: number, endsInMs: number): void {
    this.#used = used;
    this.#endsAtMs = Date.now() + endsInMs;
  }

  /** Counts a request; returns seconds to wait when there is no room for it. */
  take(): number | undefined {
    this.#renew();
    if (this.#used >= this.limit) return this.#secondsLeft();
    this.#used += 1;
    return undefined;
  }

  headers(): Record<string, string> {
    this.#renew();
    return {
      'X-RateLimit-Limit': String(this.limit),
      'X-RateLimit-Remaining': String(this.limit - this.#used),
      'X-RateLimit-Reset': String(this.#secondsLeft()),
    };
  }

  #renew(): void {
    const now = Date.now();
    if (now < this.#endsAtMs) return;
    this.#used = 0;
    this.#endsAtMs = now + 60_000;
  }

  #secondsLeft(): number {
    return Math.max(Math.ceil((this.#endsAtMs - Date.now()) / 1_000), 0);
  }
}
