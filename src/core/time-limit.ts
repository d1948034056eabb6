// A signal that is aborted by others or after a time, released by hand. AbortSignal.timeout within AbortSignal.any may be
// collected before it fires (Node 20), and what it should end then hangs.
import { type LinkedSignal, linkSignals } from './linked-signal.ts';

/** Call `release` when the work is over. */
export function limitTime(timeoutMs: number, ...sources: readonly AbortSignal[]): LinkedSignal {
  const linked = linkSignals(...sources);
  const timer = setTimeout(() => linked.abort(new Error(`not done after ${timeoutMs} ms`)), timeoutMs);
  return {
    ...linked,
    release: () => {
      clearTimeout(timer);
      linked.release();
    },
  };
}
