// Walking and publishing side by side: a slice that starts to publish gives its place for walking to the next
// slice, so that requests go on while Postgres works.
import PQueue from 'p-queue';

/** Does `publish` when it is its turn. */
export type InTurn = <Result>(publish: () => Promise<Result>) => Promise<Result>;

export interface Lanes {
  /** Begins `work` when a place for walking is free; first come, first served. */
  enter(work: (inTurn: InTurn) => Promise<void>): void;
  /** Drops work that is not begun. */
  clear(): void;
  /** Resolves when everything that was begun has ended. */
  onIdle(): Promise<void>;
}

/** Of one account. A publish takes one core of the database; more at once would only slow each other down. */
const publishesAtOnce = 2;

/** `walking`: slices walked at the same time. `work` must not throw. */
export function createLanes(walking: number): Lanes {
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
