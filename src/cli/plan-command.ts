// airank plan: what a sync would request, without a request and without writing.
import type { Command } from 'commander';
import { type AccountPlan, readAccountPlan } from '../sync/read-plan.ts';
import { readSettings, type Terminal } from './context.ts';
import { lookAtWarehouse } from './look-at-warehouse.ts';
import { planLines } from './print-plan.ts';
import { readSelection, type SelectionFlags, selectionOptions } from './selection.ts';
import { columnsOf } from './wrap.ts';

interface PlanFlags extends SelectionFlags {
  readonly again?: true;
  readonly json?: true;
}

export function addPlanCommand(program: Command, terminal: Terminal): void {
  selectionOptions(program.command('plan'))
    .description('show what a sync would request and whether it fits today, without a request')
    .option('--again', 'count also what this run date already has')
    .option('--json', 'print the plan as JSON on stdout')
    .addHelpText(
      'after',
      `
Requests come from the last walk of each slice. One that was never walked
counts as one request, "at least": how many pages it has shows its first walk.

Examples:
  $ airank plan
  $ airank plan --job rank-watch
  $ airank plan --json | jq '.accounts[] | {account, requests, fits, deferred}'`,
    )
    .action(async (flags: PlanFlags) => {
      const settings = readSettings(terminal, { needAccounts: true });
      const selection = await readSelection(flags, settings);
      const now = new Date();
      const accounts = await lookAtWarehouse(terminal, settings, async (warehouse) => {
        const plans: AccountPlan[] = [];
        for (const account of selection.accounts) {
          const question = { ...selection, again: flags.again === true };
          const { summary } = await readAccountPlan(warehouse?.db, settings.config, account, question, now);
          plans.push(summary);
        }
        return plans;
      });
      if (flags.json) {
        const { job, runDate: run_date } = selection;
        terminal.stdout.write(`${JSON.stringify({ job, run_date, accounts }, null, 2)}\n`);
        return;
      }
      const width = columnsOf(terminal.stdout);
      const blocks = accounts.map((plan) => planLines(plan, selection.runDate, now, width).join('\n'));
      terminal.stdout.write(`${settings.scrub(blocks.join('\n\n'))}\n`);
    });
}
