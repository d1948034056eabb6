// Jobs that sync request something of accounts; those of other kinds do not.
import type { Job, SyncJob } from '../define-job.ts';

export function isSyncJob(job: Job): job is SyncJob {
  return job.kind === undefined || job.kind === 'sync';
}
