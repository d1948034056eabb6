// airank workers as lines: who works on which accounts, and why somebody waits.

import { stamp } from '../../core/moment.ts';
import { plural } from '../../core/plural.ts';
import type { WorkerLine } from '../../queue/queue-report.ts';
import { table } from './table.ts';
import { wrap } from './wrap.ts';

const mostNamed = 3;

export function workerLines(workers: readonly WorkerLine[], width: number): string[] {
  if (workers.length === 0)
    return wrap('No process works on accounts. Start: airank schedule, or airank worker', width);
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
