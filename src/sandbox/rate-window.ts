// Counts requests in a window of time, in one of the three ways that servers use.

/**
 * `fixed`: windows aligned to the clock. `fixed-first`: a window begins with its first request. `sliding`: the
 * `windowMs` before each moment.
 */
export type WindowKind = 'fixed' | 'fixed-first' | 'sliding';

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Time until the window renews; for `sliding`, until its oldest request leaves it. */
  readonly resetMs: number;
}

/** Grants up to `limit` in a window. Refused requests do not count. */
export class RateWindow {
  readonly #limit: number;
  readonly #kind: WindowKind;
  readonly #windowMs: number;
  #startMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #times: { readonly atMs: number; readonly weight: number }[] = [];

  constructor(limit: number, kind: WindowKind, windowMs: number) {
    this.#limit = limit;
    this.#kind = kind;
    this.#windowMs = windowMs;
  }

  /** Takes all of `weight`, or nothing. */
  take(nowMs: number, weight = 1): Taken {
    this.#renew(nowMs);
    const allowed = this.#count + weight <= this.#limit;
    if (allowed) {
      this.#count += weight;
      if (this.#kind === 'sliding' && weight > 0) this.#times.push({ atMs: nowMs, weight });
    }
    return { allowed, remaining: Math.max(0, this.#limit - this.#count), resetMs: this.#resetMs(nowMs) };
  }

  #renew(nowMs: number): void {
    if (this.#kind === 'sliding') {
      const first = this.#times.findIndex((time) => time.atMs > nowMs - this.#windowMs);
      const gone = this.#times.splice(0, first === -1 ? this.#times.length : first);
      for (const { weight } of gone) this.#count -= weight;
      return;
    }
    const aligned = Math.floor(nowMs / this.#windowMs) * this.#windowMs;
    const over = nowMs < this.#startMs || nowMs >= this.#startMs + this.#windowMs;
    if (!over) return;
    this.#startMs = this.#kind === 'fixed' ? aligned : nowMs;
    this.#count = 0;
  }

  #resetMs(nowMs: number): number {
    const start = this.#kind === 'sliding' ? (this.#times[0]?.atMs ?? nowMs) : this.#startMs;
    return start + this.#windowMs - nowMs;
  }
}
