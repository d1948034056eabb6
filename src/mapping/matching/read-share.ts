// Measures how many values can be read as a type, and scores that.
import type { LogicalType } from '../logical/logical-source.ts';
import type { Reader } from '../logical/reader-names.ts';
import { readAs } from '../logical/readers.ts';
import type { Scalar } from './profile.ts';
import { shareThat } from './shapes.ts';

export interface ValueScore {
  readonly score: number;
  /** Reason in words that follow "its values". */
  readonly why: string;
  readonly readers: readonly Reader[];
  /** Factor; below 1 the values count against the field. Default: 1. */
  readonly weight?: number;
  /** The values belong to something else: the path is at most asked about, unless the field was found there before. */
  readonly isAnother?: boolean;
  /** The values are the keys of the records that the field refers to. */
  readonly areKeys?: boolean;
  /** The values follow each other at even distances, as the days of a series do. */
  readonly isInOrder?: boolean;
  readonly read: number;
  /** True if the values fit two different readings, so that a person has to choose. */
  readonly isAmbiguous: boolean;
}

/** Minimum share of values that a type must read; below it ops.field_catalog says "partly read". */
export const leastRead = 0.8;

export function readShare(type: LogicalType, readers: readonly Reader[], values: readonly Scalar[]): number {
  if (values.length === 0) return 1;
  return shareThat(
    values,
    `${type} ${readers.join(' ')}`,
    (value) => readAs(type, readers, value) !== undefined,
  );
}

/** True for days or moments, the day first or last. */
export const areDates = (values: readonly Scalar[]): boolean =>
  values.length > 0 &&
  Math.max(readShare('date', [], values), readShare('date', ['dmy'], values)) > leastRead;
