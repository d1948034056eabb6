// A job as a batch of the queue says it: as data, so that workers need no job files.
import { WarehouseError } from '../../core/errors.ts';
import type { Job } from '../define-job.ts';
import { checkJob } from './job-shape.ts';

/** @throws WarehouseError when another release has made the batch, and this one cannot read it */
export function jobOfBatch(id: number, selection: unknown): Job {
  const value: unknown =
    typeof selection === 'object' && selection !== null && 'job' in selection ? selection.job : undefined;
  const { job, faults } = checkJob(`batch ${id}`, value);
  if (job === undefined) throw new WarehouseError(faults.join('; '));
  return job;
}
