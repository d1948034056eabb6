// A format that `findFormat` may find.
import type { FoundFormat } from './log-event.ts';

export interface LogFormat {
  readonly name: string;
  /** The format as it is in a file with these lines, or null where they cannot be of it. */
  find(sample: readonly string[]): FoundFormat | null;
}
