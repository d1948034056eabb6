// How many values are read as a type, and what that is worth.
import type { LogicalType } from '../logical/logical-source.ts';
import type { Reader } from '../logical/reader-names.ts';
import { readAs } from '../logical/readers.ts';
import type { Scalar } from './profile.ts';
import { shareThat } from './shapes.ts';

export interface ValueScore {
  readonly score: number;
  /** What they are, after "its values". */
  readonly why: string;
  readonly readers: readonly Reader[];
  /** Less than 1: they speak against it. Default 1. */
  readonly weight?: number;
  /** They are another thing's: asked at most, unless the field was found there before. */
  readonly isAnother?: boolean;
  readonly read: number;
  /** The values fit two readings, which differ: a person has to say. */
  readonly isAmbiguous: boolean;
}

/** A type that is read in less is no reading, and what a person mapped to it is "partly read" (ops.field_catalog says so too). */
export const leastRead = 0.8;

/** Share of the values that are read as the type. */
export function readShare(type: LogicalType, readers: readonly Reader[], values: readonly Scalar[]): number {
  if (values.length === 0) return 1;
  return shareThat(
    values,
    `${type} ${readers.join(' ')}`,
    (value) => readAs(type, readers, value) !== undefined,
  );
}
