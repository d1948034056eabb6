// A log that may be stopped while it is read, and that is the same one from its beginning to its end.
import { DamagedLogError } from '../logs/decompress.ts';
import type { OpenLog } from '../logs/open-log.ts';
import { beginsAs } from '../logs/source-identity.ts';

export interface SteadyLog extends OpenLog {
  /** @throws DamagedLogError when a plain file was truncated and begun anew since it was opened */
  expectSame(): Promise<void>;
}

/** Reading ends at the next block after a stop. */
export function steadyLog(log: OpenLog, signal: AbortSignal): SteadyLog {
  return {
    ...log,
    async *blocks(fromByte) {
      for await (const block of log.blocks(fromByte)) {
        signal.throwIfAborted();
        yield block;
      }
    },
    async expectSame() {
      // What is packed is not written to, and a pipe cannot begin anew.
      if (log.sizeBytes === null || log.compression !== 'none' || log.identity.blockBytes === 0) return;
      for await (const block of log.blocks(0)) {
        if (beginsAs(log.identity, Buffer.from(block))) return;
        break;
      }
      throw new DamagedLogError(
        `Expected ${log.name} to stay the same while it is read, got another beginning: it was truncated. Nothing was sent of what was read since; push it again, and its copy`,
      );
    },
  };
}
