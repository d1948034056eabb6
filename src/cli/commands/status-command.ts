// airank status: is everything fine?

import { moment, stamp } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import type { Job } from '../../jobs/define-job.ts';
import { deadlineHoursOf } from '../../jobs/schedule/incidents.ts';
import { readSchedule, type ScheduleReport } from '../../jobs/schedule/read-schedule.ts';
import { readStatus, type StatusReport } from '../../status/read-status.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Settings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { table } from '../print/table.ts';
import { colorsFor } from '../print/text.ts';
import { wrap } from '../print/words.ts';
import { readSettingsAndJobs } from '../settings.ts';
import { chooseWarehouse, demoFlag } from '../use-warehouse.ts';
import { statusLines } from './status-text.ts';

const mostIncidents = 5;

/**
 * Renders the scheduler's part of `airank status`: whether one works, which jobs are due, and the incidents.
 * Empty if there never was a scheduler.
 */
export function scheduleLines(
  report: ScheduleReport,
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const { working, used, waiting, incidents, has_channels } = report;
  if (!used && !working) return [];
  const due = waiting.map(({ job, since }) => `${job} since ${moment(since)}`).join(', ');
  const now = waiting.length === 0 ? 'nothing waits' : `due: ${due}`;
  const lines = wrap(`Scheduler: ${working ? 'works' : 'none works'}; ${now}`, options.width);
  const shown = options.all ? incidents : incidents.slice(0, mostIncidents);
  if (shown.length > 0) {
    const rows = shown.map(({ cause, since, over_at, told_at }) => [
      cause,
      stamp(since),
      over_at === null ? '' : stamp(over_at),
      told_at === null ? (has_channels ? 'not yet' : 'no webhook or mail address is set') : stamp(told_at),
    ]);
    const head = ['incident', 'since, UTC', 'over', 'sent, UTC'];
    const { width } = options;
    lines.push(...table([head, ...rows], { width, indent: '  ', wraps: ['sent, UTC'], yields: ['over'] }));
  }
  const hidden = incidents.length - shown.length;
  return [...lines, ...(hidden > 0 ? [`  … and ${hidden} more (--all)`] : []), ''];
}

export const command = defineCommand({
  about: 'is everything fine: freshness, failures, budget, storage',
  flags: {
    '--all': 'every stream, failure and record key',
    ...demoFlag,
    '--json': 'print the status as JSON on stdout',
  },
  help: `
Needs no API key and makes no request.

Exit codes:
  0  fine: every stream of every client is complete, without data or being
     walked, within its deadline (that of its job, else 2 days, or as long as
     the budget takes to come round), and no run died
  1  anything else, also where nothing is known yet or streams wait for
     requests; a key is refused, or no scheduler works though jobs are due

Examples:
  $ airank status
  $ airank status --json | jq '.accounts[].streams[] | select(.stale)'`,
  async run(call) {
    const { terminal, flags, print } = call;
    const found = flags.demo ? undefined : await readSettingsAndJobs(terminal, { needAccounts: false });
    return await chooseWarehouse(
      terminal,
      flags,
      { orDemo: true, needViews: true },
      async (warehouse, settings) => {
        // Nothing of the demo runs by itself.
        const jobs = settings.isDemo ? [] : (found?.jobs ?? []);
        const report = await readReport(warehouse?.db, settings, jobs);
        print(report, textOf(report, settings, call));
        return report.fine ? 0 : 1;
      },
    );
  },
});

type FullReport = StatusReport & { readonly schedule: ScheduleReport | null };

async function readReport(
  db: Executor | undefined,
  { config, streams }: Settings,
  jobs: readonly Job[],
): Promise<FullReport> {
  const now = new Date();
  const deadlineHours = (stream: Stream, account: string) => deadlineHoursOf(stream, account, jobs);
  const input = { config, streams, deadlineHours, now };
  if (db === undefined) return { ...(await readStatus(db, input)), schedule: null };
  const [status, schedule] = await atOnce(db, (one) =>
    Promise.all([readStatus(one, input), readSchedule(one, { config, jobs, streams, now })]),
  );
  const problems = [...status.problems, ...schedule.problems];
  return { ...status, fine: problems.length === 0, problems, schedule };
}

function textOf(
  report: FullReport,
  settings: Settings,
  { terminal, flags, width }: Call<{ readonly all?: true }>,
): string {
  const hasData =
    report.batches.length + report.writes.open.length > 0 ||
    report.accounts.some((account) => account.run_date !== null);
  if (!hasData) return firstSteps(settings, width).join('\n');
  const all = flags.all === true;
  const lines = statusLines(report, {
    all,
    width,
    colors: colorsFor(terminal.stdout, terminal.env),
  });
  const scheduler = report.schedule === null ? [] : scheduleLines(report.schedule, { all, width });
  return settings.scrub(
    [...lines, ...(scheduler.length === 0 ? [] : ['', ...scheduler])].join('\n').trimEnd(),
  );
}

function firstSteps({ config }: Settings, width: number): string[] {
  const place =
    config.databaseUrl === undefined ? `the embedded Postgres in ${config.dataDir}` : 'DATABASE_URL';
  const key =
    config.accounts.length === 0 ? ['airank init     asks for address and key, and writes .env'] : [];
  const steps = [
    ...key,
    'airank doctor   checks key, clock and database',
    'airank sync     brings the first run date in',
  ];
  return [
    ...wrap(`No data yet in ${place}.`, width),
    '',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
    ...wrap('To see it work without a key: airank demo, and then airank status --demo', width),
  ];
}
