// Remembers how many requests the ledger had granted, to all processes on the key, at any moment of the last minutes.
// Requests that the server counts beyond that were made by somebody else.

/** Finer steps would only cost memory where a server allows millions a minute. */
const stepMs = 100;
const rememberMs = 150_000;

interface Step {
  readonly atMs: number;
  /** Granted before this step. */
  readonly before: number;
}

export class Spending {
  #steps: Step[] = [];
  #total = 0;
  #lastUsedToday = 0;

  /** A grant at `nowMs`; `usedToday` counts every process on the ledger, this grant included. */
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

  /** The times noted so far are useless: every grant may have been just now. */
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
