// airank status: is everything fine?
import type { Command } from 'commander';
import { colorsFor } from './colors.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';
import { lookAtWarehouse } from './look-at-warehouse.ts';
import { statusLines } from './print-status.ts';
import { readStatus, type StatusReport } from './read-status.ts';
import { columnsOf } from './wrap.ts';

interface StatusFlags {
  readonly all?: true;
  readonly json?: true;
}

export function addStatusCommand(
  program: Command,
  terminal: Terminal,
  end: (exitCode: number) => void,
): void {
  program
    .command('status')
    .description('show whether everything is fine: freshness, failures, budget, what is stored')
    .option('--all', 'every stream, failure and pinned key')
    .option('--json', 'print the status as JSON on stdout')
    .addHelpText(
      'after',
      `
Needs no API key and makes no request.

Exit codes:
  0  fine
  1  slices failed, or data is older than 2 days

Examples:
  $ airank status
  $ airank status --json | jq '.accounts[].streams[] | select(.stale)'`,
    )
    .action(async (flags: StatusFlags) => {
      const settings = readSettings(terminal, { needAccounts: false });
      const report = await lookAtWarehouse(terminal, settings, (warehouse) =>
        readStatus(warehouse?.db, {
          config: settings.config,
          streams: new Set(settings.streams.map((stream) => stream.name)),
          pending: warehouse?.pending ?? [],
          now: new Date(),
        }),
      );
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify(report, null, 2)}\n`
          : `${textOf(report, flags, settings, terminal)}\n`,
      );
      end(report.fine ? 0 : 1);
    });
}

function textOf(report: StatusReport, flags: StatusFlags, settings: Settings, terminal: Terminal): string {
  const hasData = report.runs.length > 0 || report.accounts.some((account) => account.run_date !== null);
  if (!hasData) return firstSteps(settings).join('\n');
  const lines = statusLines(report, {
    all: flags.all === true,
    width: columnsOf(terminal.stdout),
    colors: colorsFor(terminal.stdout, terminal.env),
  });
  return settings.scrub(lines.join('\n'));
}

function firstSteps({ config }: Settings): string[] {
  const place =
    config.databaseUrl === undefined ? `the embedded Postgres in ${config.dataDir}` : 'DATABASE_URL';
  const key =
    config.accounts.length === 0 ? ['Set AIRANK_BASE_URL and AIRANK_API_KEY (see .env.example)'] : [];
  const steps = [
    ...key,
    'airank doctor   checks key, clock and database',
    'airank sync     brings the first run date in',
  ];
  return [
    `No data yet in ${place}.`,
    '',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
    'To see it work without a key: airank demo',
  ];
}
