// What remains of the day for slices that are not begun yet. A slice that cannot be finished with it is not
// begun: its pages would be lost at the next run date.

export interface Allowance {
  /** A slice that is to begin: `spare` leaves its requests alone. */
  plan(slice: number, requests: number): void;
  /** Reserves the requests of a slice; false: there are not enough. */
  begin(slice: number, requests: number): boolean;
  /** Reserves requests that a begun slice can do without; false: others need them. */
  spare(slice: number, requests: number): boolean;
  /** One page of a begun slice is stored. */
  page(slice: number): void;
  end(slice: number): void;
}

/**
 * @param left what jobs may still spend today, by the ledger
 * @param later requests that slices planned after these need
 */
export function createAllowance(left: () => number, later: number): Allowance {
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

/** What is reserved for slices of a later phase: more than planned, because those before may take more. */
export function reservedForLater(requests: number): number {
  return Math.ceil(requests * 1.1) + Math.min(requests, 10);
}
