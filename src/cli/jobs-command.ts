// airank jobs: what jobs/ holds.
import type { Command } from 'commander';
import type { Job } from '../schedule/define-job.ts';
import { jobsFolder, loadJobs } from '../schedule/load-jobs.ts';
import { readSettings, streamNames, type Terminal } from './context.ts';
import { table } from './table.ts';
import { columnsOf, wrap } from './wrap.ts';

export function addJobsCommand(program: Command, terminal: Terminal): void {
  program
    .command('jobs')
    .description('list the jobs: name, schedule, what they sync')
    .option('--json', 'print the jobs as JSON on stdout')
    .addHelpText(
      'after',
      `
Examples:
  $ airank jobs
  $ airank sync --job rank-watch`,
    )
    .action(async (flags: { json?: true }) => {
      const settings = readSettings(terminal, { needAccounts: false });
      const jobs = await loadJobs(jobsFolder(), new Set(streamNames(settings)));
      if (flags.json) {
        terminal.stdout.write(`${JSON.stringify({ time_zone: settings.config.timeZone, jobs }, null, 2)}\n`);
        return;
      }
      const width = columnsOf(terminal.stdout);
      const lines = [
        ...table([
          ['job', 'schedule', 'streams', 'clients', 'accounts'],
          ...jobs.map((job) => [job.name, job.schedule ?? 'by hand', ...scopeOf(job)]),
        ]),
        '',
        ...jobs.flatMap((job) => wrap(job.description, width, `${job.name}: `)),
        ...wrap(`Schedules are in ${settings.config.timeZone} (AIRANK_TIMEZONE).`, width),
      ];
      terminal.stdout.write(`${lines.join('\n')}\n`);
    });
}

function scopeOf(job: Job): string[] {
  return [job.streams, job.clients, job.accounts].map((names) => names?.join(', ') ?? 'all');
}
