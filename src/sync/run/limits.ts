// Limits on the slices of a run: how many are walked and published at once, and how much of the day is left.
import PQueue from 'p-queue';

/**
 * Requests of the day for slices that are not begun yet. A slice that they cannot finish is not begun, as its pages
 * would be lost at the next run date.
 */
export interface Reservations {
  /** Notes a slice that will begin, so that `spare` leaves its requests alone. */
  plan(slice: number, requests: number): void;
  begin(slice: number, requests: number): boolean;
  /** Reserves requests that a begun slice can do without; false if others need them. */
  spare(slice: number, requests: number): boolean;
  page(slice: number): void;
  end(slice: number): void;
}

/**
 * @param left requests that jobs may still spend today, by the ledger
 * @param later requests that slices planned after these need
 */
export function createReservations(left: () => number, later: number): Reservations {
  const planned = new Map<number, number>();
  const outstanding = new Map<number, number>();
  const sum = (requests: Map<number, number>) => [...requests.values()].reduce((all, one) => all + one, 0);
  const reserve = (slice: number, requests: number, reserved: number) => {
    if (requests > left() - reserved) return false;
    outstanding.set(slice, requests);
    return true;
  };
  return {
    plan(slice, requests) {
      planned.set(slice, requests);
    },
    begin(slice, requests) {
      const hasBegun = reserve(slice, requests, later + sum(outstanding));
      if (hasBegun) planned.delete(slice);
      return hasBegun;
    },
    spare: (slice, requests) => reserve(slice, requests, later + sum(outstanding) + sum(planned)),
    page(slice) {
      const expected = outstanding.get(slice);
      if (expected !== undefined) outstanding.set(slice, Math.max(expected - 1, 0));
    },
    end(slice) {
      outstanding.delete(slice);
    },
  };
}

/** Returns what to reserve for a later phase: more than planned, because earlier phases may take more. */
export function reservedForLater(requests: number): number {
  return Math.ceil(requests * 1.1) + Math.min(requests, 10);
}

export type InTurn = <Result>(publish: () => Promise<Result>) => Promise<Result>;

/**
 * Walks and publishes side by side: a slice that starts to publish frees its place for walking, so that requests go on
 * while Postgres works.
 */
interface ConcurrencyLimit {
  /** Begins `work` when a place for walking is free, in order of arrival. */
  enter(work: (inTurn: InTurn) => Promise<void>): void;
  clear(): void;
  onIdle(): Promise<void>;
}

/** Parallel publishes of one account. Each takes one core of the database, so more would slow each other down. */
const publishesAtOnce = 2;

/** `walking` is the number of slices walked at once. `work` must not throw. */
export function createConcurrencyLimit(walking: number): ConcurrencyLimit {
  const walks = new PQueue({ concurrency: walking });
  const publishes = new PQueue({ concurrency: publishesAtOnce });
  const begun = new Set<Promise<void>>();

  const begin = (work: (inTurn: InTurn) => Promise<void>, leave: () => void) => {
    const inTurn: InTurn = async (publish) =>
      await publishes.add(() => {
        leave();
        return publish();
      });
    const whole = work(inTurn).finally(() => {
      begun.delete(whole);
      leave();
    });
    begun.add(whole);
  };

  return {
    enter: (work) => {
      void walks.add(() => new Promise<void>((leave) => begin(work, leave)));
    },
    clear: () => walks.clear(),
    onIdle: async () => {
      await walks.onIdle();
      await Promise.all(begun);
    },
  };
}
