// How many values are read as a type, and what that is worth.
import type { LogicalType } from '../logical/logical-source.ts';
import type { Reader } from '../logical/reader-names.ts';
import { readAs } from '../logical/readers.ts';
import type { Scalar } from './profile.ts';
import { shareThat } from './shapes.ts';

export interface ValueScore {
  readonly score: number;
  /** Reason in words, to follow "its values". */
  readonly why: string;
  readonly readers: readonly Reader[];
  /** Factor; less than 1: the values speak against the field. Default 1. */
  readonly weight?: number;
  /** They belong to something else: asked about at most, unless the field was found there before. */
  readonly isAnother?: boolean;
  readonly read: number;
  /** True if the values fit two readings that differ, so that a person has to say which. */
  readonly isAmbiguous: boolean;
}

/** Minimum share of values that a type must read; ops.field_catalog says "partly read" below it. */
export const leastRead = 0.8;

export function readShare(type: LogicalType, readers: readonly Reader[], values: readonly Scalar[]): number {
  if (values.length === 0) return 1;
  return shareThat(
    values,
    `${type} ${readers.join(' ')}`,
    (value) => readAs(type, readers, value) !== undefined,
  );
}
