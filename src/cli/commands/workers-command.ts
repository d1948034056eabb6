// airank jobs workers: the processes that work on accounts, and what they do just now.

import { plural, stamp } from '../../core/text.ts';
import { readOpenBatches, readWorkers, type WorkerLine } from '../../queue/queue-report.ts';
import { defineCommand } from '../define-command.ts';
import { batchLines } from '../print/lines.ts';
import { table } from '../print/table.ts';
import { wrap } from '../print/words.ts';
import { useWarehouse } from '../use-warehouse.ts';

const mostNamed = 3;

/** Renders who works on which accounts, and why a worker waits. */
export function workerLines(workers: readonly WorkerLine[], width: number): string[] {
  if (workers.length === 0)
    return wrap('No process works on accounts. Start: airank schedule, or airank jobs worker', width);
  const rows = workers.map((worker) => [
    worker.id,
    `${worker.host} ${worker.pid}`,
    worker.kinds.length === 0 ? 'by hand' : worker.kinds.join(', '),
    worker.state,
    worker.kinds.length === 0 ? '-' : `${worker.accounts.length} of ${worker.accounts_at_once}`,
    worker.ended,
    stamp(worker.started_at),
    accountsText(worker.accounts),
  ]);
  const waiting = workers.flatMap(({ id, waits_for: reason }) =>
    reason === null ? [] : wrap(reason, width, `Worker ${id} takes no jobs: `),
  );
  const versions = new Set(workers.map(({ version }) => version));
  return [
    ...table(
      [['worker', 'host, pid', 'takes', 'state', 'works on', 'ended', 'since, UTC', 'accounts'], ...rows],
      {
        width,
        wraps: ['accounts', 'host, pid', 'takes'],
        yields: ['since, UTC', 'ended', 'takes', 'accounts'],
      },
    ),
    ...(waiting.length === 0 ? [] : ['', ...waiting]),
    ...(versions.size > 1
      ? ['', `${plural(versions.size, 'version')} work here: ${[...versions].join(', ')}`]
      : []),
  ];
}

function accountsText(accounts: readonly string[]): string {
  const more = accounts.length - mostNamed;
  const named = accounts.slice(0, mostNamed).join(', ');
  return more > 0 ? `${named} and ${more} more` : named || '-';
}

export const workersCommand = defineCommand({
  about: 'list the processes that work on accounts, and what waits in the queue',
  flags: { '--json': 'print workers and batches as JSON on stdout' },
  help: `
A worker whose lock is gone is dead: within seconds others go on with what it
had. One that waits says why.

Examples:
  $ airank jobs workers
  $ airank jobs workers --json | jq '.workers[] | select(.state == "waiting")'`,
  async run({ terminal, print, width }) {
    await useWarehouse(terminal, undefined, {}, async ({ db }) => {
      const workers = await readWorkers(db);
      const batches = await readOpenBatches(db);
      const waiting =
        batches.length === 0
          ? ['Nothing waits in the queue.']
          : batchLines(batches, { now: new Date(), width });
      print({ workers, batches }, [...workerLines(workers, width), '', ...waiting]);
    });
  },
});
