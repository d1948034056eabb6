// Input and result of a search: the fields known before it, and those that the records show.
import type { Found } from './candidates.ts';

/** One record of a sample, with the fields beside its list. */
export interface SampleRecord {
  readonly record: unknown;
  /** One object for all records of a list; undefined if there is nothing beside it. */
  readonly envelope?: unknown;
}

export interface Mapping {
  readonly overrides: ReadonlyMap<string, string | null>;
  readonly current: ReadonlyMap<string, string | null>;
}

export interface Match {
  readonly found: readonly Found[];
  readonly proposals: ReadonlyMap<string, readonly Found[]>;
}

/** From this score on, a path is taken without asking. */
export const sure = 0.56;
/** Minimum lead over the next path. */
export const margin = 0.06;
/** From this score on, a path is worth asking about. */
export const worthAsking = 0.35;
export const mostProposals = 3;

/** True if a score is clearly better than the next one. Near 1 a smaller lead is enough. */
export function isClear(score: number, next: number): boolean {
  return score - next >= margin || (1 - score) * 1.6 <= 1 - next;
}

/** Keeps the part of a candidate that is stored when it is taken or proposed. */
export const plain = ({ field, path, score, filled, read, examples }: Found): Found => ({
  field,
  path,
  score,
  filled,
  read,
  examples,
});
