// What is known of a source's fields before a look at its records, and what the look brings.
import type { Found } from './candidates.ts';

/** One record of a sample, with what stands beside the list that it came in. */
export interface SampleRecord {
  readonly record: unknown;
  /** One object for all records of a list; undefined: nothing is beside it. */
  readonly envelope?: unknown;
}

/** Fields to paths. */
export interface Mapping {
  readonly overrides: ReadonlyMap<string, string | null>;
  readonly current: ReadonlyMap<string, string | null>;
}

export interface Match {
  readonly found: readonly Found[];
  readonly proposals: ReadonlyMap<string, readonly Found[]>;
}

/** From here on a path is taken without asking. */
export const sure = 0.56;
/** By as much it has to be better than the next one. */
export const margin = 0.06;
/** Below this nobody needs to be asked. */
export const worthAsking = 0.35;
export const mostProposals = 3;

/** Near 1 a difference is small, and says as much. */
export function isClear(score: number, next: number): boolean {
  return score - next >= margin || (1 - score) * 1.6 <= 1 - next;
}

/** What is found of a candidate that is taken or proposed. */
export const plain = ({ field, path, score, filled, read, examples }: Found): Found => ({
  field,
  path,
  score,
  filled,
  read,
  examples,
});
