// The command line: commands, and what their errors mean for people and scripts.
import { Command, CommanderError } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import { secretsOf } from '../config/secrets-of.ts';
import { ConfigError, messageOf, SchemaError } from '../core/errors.ts';
import { createScrubber } from '../core/logger.ts';
import { packageVersion } from '../core/package.ts';
import { addAlertsCommand } from './commands/alerts-command.ts';
import { addAskCommand } from './commands/ask-command.ts';
import { command as backup } from './commands/backup-command.ts';
import { command as bots } from './commands/bots-command.ts';
import { command as budget } from './commands/budget-command.ts';
import { addCompletionCommand } from './commands/completion-command.ts';
import { addDashboardCommand } from './commands/dashboard-command.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addExportCommand } from './commands/export-command.ts';
import { addForgetCommand } from './commands/forget-command.ts';
import { addGrantBiCommand } from './commands/grant-bi-command.ts';
import { addInitCommand } from './commands/init-command.ts';
import { addJobsCommand } from './commands/jobs-command.ts';
import { addMapCommand } from './commands/map-command.ts';
import { addMeasureCommand } from './commands/measure-command.ts';
import { addMetabaseCommand } from './commands/metabase-command.ts';
import { addMigrateCommand } from './commands/migrate-command.ts';
import { command as move } from './commands/move-command.ts';
import { command as note } from './commands/note-command.ts';
import { addPlanCommand } from './commands/plan-command.ts';
import { addPruneCommand } from './commands/prune-command.ts';
import { addPsqlCommand } from './commands/psql-command.ts';
import { addPublicCommand } from './commands/public-command.ts';
import { addPushCommand } from './commands/push-command.ts';
import { command as rename } from './commands/rename-command.ts';
import { addReportCommand } from './commands/report-command.ts';
import { command as restore } from './commands/restore-command.ts';
import { addSandboxCommand } from './commands/sandbox-command.ts';
import { addScheduleCommand } from './commands/schedule-command.ts';
import { command as status } from './commands/status-command.ts';
import { addSyncCommand } from './commands/sync-command.ts';
import { addViewsCommand } from './commands/views-command.ts';
import { addWorkerCommand } from './commands/worker-command.ts';
import { addWorkersCommand } from './commands/workers-command.ts';
import { addWritesCommand } from './commands/writes-command.ts';
import type { Terminal } from './setup/context.ts';
import { addCommand } from './setup/define-command.ts';
import { nameCommands } from './setup/process.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the budget ended first. */
export async function runProgram(argv: readonly string[], outside: Terminal): Promise<number> {
  const terminal = nameCommands(outside, argv, () => program.commands.map((command) => command.name()));
  let exitCode = 0;
  const end = (code: number) => {
    exitCode = code;
  };
  const program = new Command('airank')
    .description('Every AI-visibility figure of every client, every day, in your own Postgres.')
    .version(packageVersion())
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('(airank --help lists the commands; airank <command> --help its options)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  addDemoCommand(program, terminal, end);
  addInitCommand(program, terminal, end);
  addDoctorCommand(program, terminal, end);
  addPlanCommand(program, terminal);
  addSyncCommand(program, terminal, end);
  addCommand(program, 'status', status, terminal, end);
  addPsqlCommand(program, terminal, end);
  addJobsCommand(program, terminal, end);
  addCommand(program, 'budget', budget, terminal, end);
  addScheduleCommand(program, terminal);
  addWorkerCommand(program, terminal);
  addWorkersCommand(program, terminal);
  addDashboardCommand(program, terminal, end);
  addViewsCommand(program, terminal, end);
  addMapCommand(program, terminal, end);
  addAlertsCommand(program, terminal, end);
  addCommand(program, 'note', note, terminal, end);
  addExportCommand(program, terminal, end);
  addReportCommand(program, terminal, end);
  addPushCommand(program, terminal, end);
  addCommand(program, 'bots', bots, terminal, end);
  addMeasureCommand(program, terminal, end);
  addWritesCommand(program, terminal);
  addAskCommand(program, terminal, end);
  addPublicCommand(program, terminal, end);
  addGrantBiCommand(program, terminal);
  addMetabaseCommand(program, terminal);
  addPruneCommand(program, terminal, end);
  addForgetCommand(program, terminal, end);
  addCommand(program, 'rename', rename, terminal, end);
  addMigrateCommand(program, terminal);
  addCommand(program, 'backup', backup, terminal, end);
  addCommand(program, 'restore', restore, terminal, end);
  addCommand(program, 'move', move, terminal, end);
  addSandboxCommand(program, terminal);
  addCompletionCommand(program, terminal);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, terminal);
  }
}

function report(error: unknown, terminal: Terminal): number {
  // Help and version end by this too; commander has already printed everything.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const scrub = createScrubber(knownSecrets(terminal));
  if (error instanceof ConfigError) {
    for (const fault of error.faults) terminal.stderr.write(`${scrub(fault)}\n`);
    return 2;
  }
  if (terminal.signal.aborted) return 1;
  const stack =
    terminal.env['AIRANK_LOG_LEVEL'] === 'debug' && error instanceof Error ? `\n${error.stack}` : '';
  terminal.stderr.write(`${scrub(messageOf(error) + stack)}\n`);
  return error instanceof SchemaError ? 2 : 1;
}

/** Also when the configuration itself is faulty and its secrets are unknown. */
function knownSecrets(terminal: Terminal): string[] {
  const secret = [
    ...['AIRANK_API_KEY', 'DATABASE_URL', 'AIRANK_READER_URL', 'AIRANK_DASHBOARD_SECRET'],
    ...['AIRANK_METABASE_KEY', 'AIRANK_METABASE_DATABASE_URL'],
  ];
  const named = secret.map((name) => terminal.env[name]);
  const plain = named.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]));
  try {
    return [
      ...plain,
      ...secretsOf(loadConfig({ env: terminal.env, cwd: terminal.cwd, needAccounts: false })),
    ];
  } catch {
    return plain;
  }
}
