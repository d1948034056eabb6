// Open batches of the queue as lines, for airank jobs and airank status.
import type { OpenBatch } from '../../warehouse/queue/queue-report.ts';
import { duration, table } from './table.ts';

export function batchLines(batches: readonly OpenBatch[], options: { now: Date; width: number }): string[] {
  const { now, width } = options;
  const ago = (since: Date) => duration(Math.max(now.getTime() - since.getTime(), 0));
  const rows = batches.map((batch) => [
    batch.id,
    batch.job,
    ago(batch.started_at),
    batch.waiting,
    batch.running,
    batch.deferred,
    batch.done,
    batch.failed,
    batch.slowest === null || batch.slowest_since === null
      ? '-'
      : `${batch.slowest}, ${ago(batch.slowest_since)}`,
    batch.oldest_due === null ? '-' : ago(batch.oldest_due),
  ]);
  return table(
    [
      ['batch', 'job', 'for', 'waiting', 'running', 'deferred', 'done', 'failed', 'slowest', 'due for'],
      ...rows,
    ],
    { width, wraps: ['slowest', 'job'], yields: ['due for', 'slowest'] },
  );
}
