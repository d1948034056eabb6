// A sleep that ends early when something has changed.
import type { Clock } from './clock.ts';
import { type LinkedSignal, linkSignals } from './linked-signal.ts';

export interface WakeUp {
  /** Resolves after `delayMs` or at the next `wake`; rejects when the signal is aborted. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

export function createWakeUp(clock: Clock): WakeUp {
  const sleepers = new Set<LinkedSignal>();
  return {
    wait: async (delayMs, signal) => {
      const woken = linkSignals(signal);
      sleepers.add(woken);
      try {
        await clock.sleep(delayMs, woken.signal);
      } catch (error) {
        if (!woken.signal.aborted) throw error;
      } finally {
        sleepers.delete(woken);
        woken.release();
      }
      signal.throwIfAborted();
    },
    wake: () => {
      // Without a reason each would cost an exception and its stack.
      for (const sleeper of sleepers) sleeper.abort('woken');
    },
  };
}
