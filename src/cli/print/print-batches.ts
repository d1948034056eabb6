// Open batches of the queue as lines, for airank jobs and airank status.

import { moment } from '../../core/moment.ts';
import { plural } from '../../core/plural.ts';
import type { OpenBatch } from '../../queue/queue-report.ts';
import { duration, table } from './table.ts';
import { wrap } from './wrap.ts';

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
  const lines = table(
    [
      ['batch', 'job', 'for', 'waiting', 'running', 'deferred', 'done', 'failed', 'slowest', 'due for'],
      ...rows,
    ],
    { width, wraps: ['slowest', 'job'], yields: ['due for', 'slowest', 'for', 'done'] },
  );
  const deaths = batches.flatMap((batch) =>
    batch.deaths.map(({ account, deaths: count, begins_at: at }) => {
      const what = account === '' ? batch.job : account;
      const again = new Date(at) > now ? `. It begins again at ${moment(at)}` : '';
      return `Batch ${batch.id}, ${what}: its worker died ${count === 1 ? 'once' : `${plural(count, 'time')} in a row`}${again}`;
    }),
  );
  return [...lines, ...deaths.flatMap((text) => wrap(text, width))];
}
