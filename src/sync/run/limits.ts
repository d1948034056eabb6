// Limits on the slices of a run: how many are walked and published at once, and what remains of the day.
import PQueue from 'p-queue';

/**
 * Requests of the day for slices that are not begun yet. A slice that cannot be finished with them is not
 * begun: its pages would be lost at the next run date.
 */
export interface Reservations {
  /** Notes a slice that is to begin: `spare` leaves its requests alone. */
  plan(slice: number, requests: number): void;
  /** Reserves the requests of a slice; false: there are not enough. */
  begin(slice: number, requests: number): boolean;
  /** Reserves requests that a begun slice can do without; false: others need them. */
  spare(slice: number, requests: number): boolean;
  /** Notes that a page of a begun slice is stored. */
  page(slice: number): void;
  end(slice: number): void;
}

/**
 * @param left what jobs may still spend today, by the ledger
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

/** Returns what to reserve for a later phase: more than planned, because those before may take more. */
export function reservedForLater(requests: number): number {
  return Math.ceil(requests * 1.1) + Math.min(requests, 10);
}

/** Does `publish` when it is its turn. */
export type InTurn = <Result>(publish: () => Promise<Result>) => Promise<Result>;

/**
 * Walking and publishing side by side: a slice that starts to publish gives its place for walking to the next
 * slice, so that requests go on while Postgres works.
 */
interface ConcurrencyLimit {
  /** Begins `work` when a place for walking is free; first come, first served. */
  enter(work: (inTurn: InTurn) => Promise<void>): void;
  /** Drops work that is not begun. */
  clear(): void;
  /** Resolves when everything that was begun has ended. */
  onIdle(): Promise<void>;
}

/** Publishes of one account at once. Each takes one core of the database; more would slow each other down. */
const publishesAtOnce = 2;

/** `walking`: slices walked at the same time. `work` must not throw. */
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
