// A run of another process, in half a sentence: which, since when, how far.

import { moment } from '../../core/moment.ts';
import { count, plural } from '../../core/plural.ts';

export interface RunInWords {
  readonly run_id: number;
  readonly job: string;
  readonly started_at: Date;
  readonly slices: number;
  readonly ended: number;
  readonly requests: number;
}

/** `run 12 of daily-snapshot, since 2026-11-22 17:31 UTC, 17 of 55 slices, 318 requests`. */
export function runText({ run_id: id, job, started_at: begun, slices, ended, requests }: RunInWords): string {
  return (
    `run ${id} of ${job}, since ${moment(begun)}, ${count(ended)} of ${plural(slices, 'slice')}, ` +
    plural(requests, 'request')
  );
}
