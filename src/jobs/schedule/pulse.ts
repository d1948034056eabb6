// Whether the database answers, asked every few seconds, so that /readyz and the metrics know a lost one at once and not
// at the scheduler's next look.
import { type Clock, linkSignals, sleepUntilStopped } from '../../core/clock.ts';

export interface Pulse {
  isUp(): boolean;
  /** Asks until `stop` is aborted; never rejects. */
  beat(stop: AbortSignal): Promise<void>;
}

export interface PulseOptions {
  readonly clock: Clock;
  /** Rejects when the database is lost; may hang as long as the network does. */
  readonly ask: () => Promise<unknown>;
  readonly onBeat?: (isUp: boolean) => void;
}

const everyMs = 3_000;
/** Together with the pause before, less than ten seconds. */
const patienceMs = 5_000;

export function createPulse({ clock, ask, onBeat }: PulseOptions): Pulse {
  let up = false;
  let asking: Promise<boolean> | undefined;
  const answers = async (stop: AbortSignal): Promise<boolean> => {
    // A question that hangs is not asked twice: each would hold a place in the queue of the connection.
    asking ??= ask()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined;
      });
    const waiting = linkSignals(stop);
    const tooLate = clock.sleep(patienceMs, waiting.signal).then(
      () => false,
      () => false,
    );
    const answered = await Promise.race([asking, tooLate]);
    waiting.abort(undefined);
    waiting.release();
    return answered;
  };
  return {
    isUp: () => up,
    async beat(stop) {
      while (!stop.aborted) {
        up = await answers(stop);
        onBeat?.(up);
        await sleepUntilStopped(clock, everyMs, stop);
      }
    },
  };
}
