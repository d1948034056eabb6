// How a slice ended in tests: complete, of no records, but for what is given.
import type { SliceOutcome } from '../../src/sync/run/sync-options.ts';

export function sliceOutcome(more: Partial<SliceOutcome> = {}): SliceOutcome {
  const changes = { inserted: 0, changed: 0, vanished: 0, unchanged: 0 };
  const rest = { keyConflicts: 0, pagesSaved: 0, late: 0, tooLarge: false, error: undefined };
  const scope = { stream: 's', account: 'a', clientId: '' };
  return { ...scope, end: 'complete', already: false, records: 0, ...changes, ...rest, ...more };
}
