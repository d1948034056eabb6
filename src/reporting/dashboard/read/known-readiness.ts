// Which views are ready: read once, and again every few minutes, without a page that waits for it.

import type { Executor } from '../../../db/database.ts';
import { type Readiness, readReadiness } from '../../../status/view-readiness.ts';

export interface KnownReadiness {
  /** What is known by now. */
  now(): Readiness | undefined;
  /** For what cannot be told without it. */
  wait(): Promise<Readiness | undefined>;
}

const renewedAfterMs = 180_000;

/** @param db undefined: there is only a role that reads bi, and nothing is known */
export function knownReadiness(
  db: Executor | undefined,
  onFailure: (error: unknown) => void,
  read: typeof readReadiness = readReadiness,
): KnownReadiness {
  let known: Readiness | undefined;
  let reading: Promise<Readiness | undefined> | undefined;
  let readAt: number | undefined;
  const wait = async (): Promise<Readiness | undefined> => {
    if (db === undefined) return undefined;
    // Also where it failed: each empty chart of a page asks.
    if (readAt !== undefined && Date.now() - readAt <= renewedAfterMs) return known;
    reading ??= read(db)
      .then((found) => {
        known = found;
        return found;
      })
      .catch((error: unknown) => {
        onFailure(error);
        return known;
      })
      .finally(() => {
        readAt = Date.now();
        reading = undefined;
      });
    return known ?? (await reading);
  };
  return {
    now: () => {
      void wait();
      return known;
    },
    wait,
  };
}
