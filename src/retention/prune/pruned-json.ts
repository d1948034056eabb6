import type { Pruned } from './prune.ts';

/** For scripts, and for the batch of a job. */
export function prunedJson({ streams, comparedDates }: Pruned) {
  return {
    streams: streams.map(({ stream, scopes, dates, versions, typedRows, bytes: size }) => ({
      stream,
      scopes,
      dates,
      versions,
      typed_rows: typedRows,
      bytes: size,
    })),
    compared_dates: comparedDates,
  };
}
