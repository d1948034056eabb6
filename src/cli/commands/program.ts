// The command line: commands, and what their errors mean for people and scripts.

import { Command, CommanderError, Help } from 'commander';
import { Secret } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { secretsInDatabaseUrl, secretsOf } from '../../config/secrets-of.ts';
import { ConfigError, messageOf, SchemaError } from '../../core/errors.ts';
import { packageVersion } from '../../core/files.ts';
import { createScrubber } from '../../core/logger.ts';
import { addCommand, type CommandDefinition } from '../define-command.ts';
import { commandNames, pasteable, say, type Terminal } from '../terminal.ts';

/** For commands that run by themselves or are rarely needed. */
const hidden = '';

const term = (command: Command) => new Help().subcommandTerm(command);

type ReadCommand = () => Promise<{ readonly command: CommandDefinition }>;

/** Commands grouped as in --help; each module is loaded when it is called. */
const groups: Readonly<
  Record<string, Partial<Readonly<Record<(typeof commandNames)[number], ReadCommand>>>>
> = {
  'Start:': {
    demo: () => import('./demo-command.ts'),
    init: () => import('./init-command.ts'),
    doctor: () => import('./doctor-command.ts'),
    sandbox: () => import('./sandbox-command.ts'),
  },
  'Every day:': {
    sync: () => import('./sync-command.ts'),
    plan: () => import('./plan-command.ts'),
    status: () => import('./status-command.ts'),
    schedule: () => import('./schedule-command.ts'),
    jobs: () => import('./jobs-command.ts'),
    budget: () => import('./budget-command.ts'),
  },
  'Look at it:': {
    dashboard: () => import('./dashboard-command.ts'),
    report: () => import('./report-command.ts'),
    mcp: () => import('./mcp-command.ts'),
    alerts: () => import('./alerts-command.ts'),
    note: () => import('./note-command.ts'),
  },
  'BI tools and files:': {
    views: () => import('./views-command.ts'),
    map: () => import('./map-command.ts'),
    'grant-bi': () => import('./grant-bi-command.ts'),
    metabase: () => import('./metabase-command.ts'),
    export: () => import('./export-command.ts'),
    psql: () => import('./psql-command.ts'),
  },
  'Send to the service, and ask it:': {
    push: () => import('./push-command.ts'),
    measure: () => import('./measure-command.ts'),
    get: () => import('./get-command.ts'),
  },
  'Keep it:': {
    backup: () => import('./backup-command.ts'),
    restore: () => import('./restore-command.ts'),
    forget: () => import('./forget-command.ts'),
  },
  [hidden]: {
    migrate: () => import('./migrate-command.ts'),
  },
};

/** Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the budget ended first. */
export async function runProgram(given: readonly string[], terminal: Terminal): Promise<number> {
  // A command `help` would belong to no group.
  const argv = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  let exitCode = 0;
  const called = commandNames.find((name) => name === argv[0]);
  const program = new Command('airank')
    .description('Every AI-visibility figure of every client, every day, in your own Postgres.')
    .version(packageVersion())
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (one) => (one.parent?.name() === 'airank' ? one.name() : term(one)) })
    .showHelpAfterError(
      called === undefined
        ? '(airank --help lists the commands; airank <command> --help its options)'
        : `(airank ${called} --help lists its options)`,
    )
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(pasteable(text, terminal.env)),
      writeErr: (text) => terminal.stderr.write(pasteable(text, terminal.env)),
    });
  try {
    const call = { terminal, end: (code: number) => (exitCode = code) };
    for (const [group, commands] of Object.entries(groups)) {
      const read = Object.entries(commands).filter(([name]) => isRead(name, argv));
      const found = await Promise.all(read.map(async ([name, of]) => ({ name, ...(await of()) })));
      for (const { name, command } of found) {
        const shown = { ...command, ...(group === hidden && { hidden: true as const }) };
        addCommand(program, name, shown, call).helpGroup(group);
      }
    }
    const owner = program.commands.find(({ commands }) => commands.some((one) => one.name() === argv[0]));
    if (called === undefined && owner !== undefined)
      throw new ConfigError([
        `Expected a command, got ${argv[0]}. Did you mean: airank ${owner.name()} ${argv[0]}?`,
      ]);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, terminal, argv);
  }
}

/** Tells whether to load a command: the one that is called, or all for --help and a misspelt one. */
function isRead(name: string, [called = '']: readonly string[]): boolean {
  if (called === '--version' || called === '-V') return false;
  return called === name || !commandNames.some((known) => known === called);
}

function report(error: unknown, terminal: Terminal, argv: readonly string[]): number {
  // Help and version end by this too; commander has already printed everything.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const scrub = createScrubber(knownSecrets(terminal, argv));
  const write = (text: string) => say(terminal, scrub(text));
  if (error instanceof ConfigError) {
    for (const fault of error.faults) write(fault);
    return 2;
  }
  if (terminal.signal.aborted) return 1;
  const stack =
    terminal.env['AIRANK_LOG_LEVEL'] === 'debug' && error instanceof Error ? `\n${error.stack}` : '';
  write(messageOf(error) + stack);
  return error instanceof SchemaError ? 2 : 1;
}

/** Collects the secrets to hide, even if the configuration itself is faulty. */
function knownSecrets(terminal: Terminal, argv: readonly string[]): string[] {
  const variables = ['AIRANK_API_KEY', 'DATABASE_URL', 'AIRANK_READER_URL', 'AIRANK_METABASE_KEY'];
  const plain = [
    ...variables.flatMap((name) => terminal.env[name] || []),
    ...argv.flatMap((word) => {
      const [address] = /postgres(ql)?:\/\/.+/.exec(word) ?? [];
      return address === undefined ? [] : secretsInDatabaseUrl(new Secret(address));
    }),
  ];
  try {
    return [
      ...plain,
      ...secretsOf(loadConfig({ env: terminal.env, cwd: terminal.cwd, needAccounts: false })),
    ];
  } catch {
    return plain;
  }
}
