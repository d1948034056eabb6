// One record of a sample, with what stands beside the list that it came in.

export interface SampleRecord {
  readonly record: unknown;
  /** One object for all records of a list; undefined: nothing is beside it. */
  readonly envelope?: unknown;
}
