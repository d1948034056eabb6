// airank workers: the processes that work on accounts, and what they do just now.
import type { Command } from 'commander';
import { readOpenBatches, readWorkers } from '../../queue/queue-report.ts';
import { batchLines } from '../print/print-batches.ts';
import { workerLines } from '../print/print-workers.ts';
import { columnsOf } from '../print/wrap.ts';
import type { Terminal } from '../setup/context.ts';
import { useWarehouse } from '../setup/use-warehouse.ts';

export function addWorkersCommand(program: Command, terminal: Terminal): void {
  program
    .command('workers')
    .description('list the processes that work on accounts, and what waits in the queue')
    .option('--json', 'print workers and batches as JSON on stdout')
    .addHelpText(
      'after',
      `
A worker whose lock is gone is dead: within seconds others go on with what it
had. One that waits says why.

Examples:
  $ airank workers
  $ airank workers --json | jq '.workers[] | select(.state == "waiting")'`,
    )
    .action(async (flags: { json?: true }) => {
      await useWarehouse(terminal, undefined, {}, async ({ db }) => {
        const workers = await readWorkers(db);
        const batches = await readOpenBatches(db);
        if (flags.json) {
          terminal.stdout.write(`${JSON.stringify({ workers, batches }, null, 2)}\n`);
          return;
        }
        const width = columnsOf(terminal.stdout);
        const waiting =
          batches.length === 0
            ? ['Nothing waits in the queue.']
            : batchLines(batches, { now: new Date(), width });
        terminal.stdout.write(`${[...workerLines(workers, width), '', ...waiting].join('\n')}\n`);
      });
    });
}
