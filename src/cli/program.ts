// The command line: commands, and what their errors mean for people and scripts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError, messageOf } from '../core/errors.ts';
import { createScrubber } from '../core/logger.ts';
import { packageRoot } from '../core/package-root.ts';
import type { Terminal } from './context.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addExportCommand } from './export-command.ts';
import { addGrantBiCommand } from './grant-bi-command.ts';
import { addJobsCommand } from './jobs-command.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addPlanCommand } from './plan-command.ts';
import { addPsqlCommand } from './psql-command.ts';
import { addSandboxCommand } from './sandbox-command.ts';
import { addStatusCommand } from './status-command.ts';
import { addSyncCommand } from './sync-command.ts';
import { addViewsCommand } from './views-command.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the budget ended first. */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const end = (code: number) => {
    exitCode = code;
  };
  const program = new Command('airank')
    .description('Every AI-visibility figure of every client, every day, in your own Postgres.')
    .version(version())
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('(airank --help lists the commands; airank <command> --help its options)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  addSyncCommand(program, terminal, end);
  addDoctorCommand(program, terminal, end);
  addPsqlCommand(program, terminal, end);
  addStatusCommand(program, terminal, end);
  addSandboxCommand(program, terminal);
  addJobsCommand(program, terminal);
  addPlanCommand(program, terminal);
  addViewsCommand(program, terminal, end);
  addExportCommand(program, terminal);
  addGrantBiCommand(program, terminal);
  addMigrateCommand(program, terminal);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, terminal);
  }
}

function report(error: unknown, terminal: Terminal): number {
  // Help and version end by this too; commander has printed what is to be said.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const scrub = createScrubber(secretsOf(terminal.env));
  if (error instanceof ConfigError) {
    for (const fault of error.faults) terminal.stderr.write(`${scrub(fault)}\n`);
    return 2;
  }
  if (terminal.signal.aborted) return 1;
  const stack =
    terminal.env['AIRANK_LOG_LEVEL'] === 'debug' && error instanceof Error ? `\n${error.stack}` : '';
  terminal.stderr.write(`${scrub(messageOf(error) + stack)}\n`);
  return 1;
}

function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return [env['AIRANK_API_KEY'], env['DATABASE_URL']].filter(
    (secret) => secret !== undefined && secret !== '',
  ) as string[];
}

function version(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}
