// airank alerts: what happened in the figures of clients, and who is told.
import type { Command } from 'commander';
import { runAlerts } from '../../alerts/run-alerts.ts';
import { readFirstLook } from '../../alerts/store/alert-store.ts';
import { acknowledge, listAlerts, mute, readMutes, unmute } from '../../alerts/store/list-alerts.ts';
import { readClientNames } from '../../alerts/store/notes.ts';
import type { AlertRuleName } from '../../config/alert-rules.ts';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { columnsOf } from '../print/words.ts';
import type { Terminal } from '../setup/context.ts';
import { dateFlag, numberFlag, ruleArgument } from '../setup/flags.ts';
import { type ClientFlags, chooseAccount, chooseClient } from '../setup/named-clients.ts';
import { alertsDeps, runLines } from '../setup/run-and-print.ts';
import { demoFlag, useWarehouse } from '../setup/use-warehouse.ts';
import { addAlertsTestCommand, alertLines } from './alerts-test-command.ts';

// airank alerts mute, airank alerts unmute: of which rules nobody is told for a while.
interface MuteFlags extends ClientFlags {
  readonly until?: string;
  readonly demo?: true;
}

function addMuteCommands(alerts: Command, terminal: Terminal): void {
  alerts
    .command('mute')
    .description('tell nobody of a rule, for a client or a whole account; its alerts are still listed')
    .argument('<rule>', 'such as page_lost')
    .option('--client <id>', 'only of this client')
    .option('--account <name>', 'account, where there are several')
    .option(...demoFlag)
    .option('--until <date>', 'from this date on people are told again (default: until unmuted)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ airank alerts mute page_lost --client 7 --until 2026-05-01\n  $ airank alerts unmute page_lost --client 7',
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const flags: MuteFlags = command.optsWithGlobals();
      await withRule(terminal, name, flags, async (db, rule, today) => {
        if (flags.until !== undefined && flags.until <= today) {
          throw new ConfigError([`Expected --until to be after today (${today}), got "${flags.until}"`]);
        }
        const whose = await mutedClient(db, flags);
        await mute(db, { ...whose, rule, until: flags.until });
        const until = flags.until === undefined ? '' : ` until ${flags.until}`;
        terminal.stdout.write(`${rule} is muted for ${textOf(whose)}${until}\n`);
      });
    });
  alerts
    .command('unmute')
    .description('tell people of a rule again')
    .argument('<rule>', 'such as page_lost')
    .option('--client <id>', 'the client that it was muted for')
    .option('--account <name>', 'account, where there are several')
    .option(...demoFlag)
    .addHelpText('after', '\nExample:\n  $ airank alerts unmute page_lost --client 7')
    .action(async (name: string, _: unknown, command: Command) => {
      const flags: MuteFlags = command.optsWithGlobals();
      await withRule(terminal, name, flags, async (db, rule) => {
        const whose = await mutedClient(db, flags);
        if (!(await unmute(db, { ...whose, rule }))) {
          throw new ConfigError([
            `Expected a rule that is muted for ${textOf(whose)}, got ${rule}. airank alerts shows what is`,
          ]);
        }
        terminal.stdout.write(`${rule} is told again for ${textOf(whose)}\n`);
      });
    });
}

async function withRule(
  terminal: Terminal,
  name: string,
  flags: MuteFlags,
  work: (db: Executor, rule: AlertRuleName, today: string) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const rule = ruleArgument(name, faults);
  dateFlag('--until', flags.until, faults);
  if (faults.length > 0 || rule === undefined) throw new ConfigError(faults);
  await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }, { config }) =>
    work(db, rule, runDateIn(config.timeZone, new Date())),
  );
}

interface MutedClient {
  readonly account: string;
  /** Undefined: all of the account. */
  readonly clientId: string | undefined;
}

async function mutedClient(db: Executor, flags: MuteFlags): Promise<MutedClient> {
  const { account, clientId } = chooseClient(flags, await readClientNames(db));
  return { account, clientId: flags.client === undefined ? undefined : clientId };
}

const textOf = ({ account, clientId }: MutedClient) =>
  clientId === undefined ? `account ${account}` : `client ${clientId} of ${account}`;

interface ListFlags {
  readonly open?: true;
  readonly account?: string;
  readonly limit: string;
  readonly json?: true;
  readonly demo?: true;
}

export function addAlertsCommand(
  program: Command,
  terminal: Terminal,
  end: (exitCode: number) => void,
): void {
  const alerts = program
    .command('alerts')
    .description('what happened in the figures of clients: list, test, check, mute, acknowledge')
    // Otherwise a misspelt subcommand is reported as an argument too many.
    .allowExcessArguments()
    .option('--open', 'only what lasts, and nobody has seen')
    .option('--account <name>', 'only of this account')
    .option('--limit <number>', 'at most so many', '50')
    .option('--json', 'print the list as JSON on stdout')
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
They are looked for after each sync, and told to alerts.to of the configuration.

Examples:
  $ airank alerts --open
  $ airank alerts test rank_fell --date 2026-04-03 --client 7
  $ airank alerts mute page_lost --client 7 --until 2026-05-01
  $ airank alerts ack 12`,
    )
    .action(async (flags: ListFlags, command: Command) => {
      const [other] = command.args;
      if (other !== undefined) {
        throw new ConfigError([
          `Expected airank alerts, or airank alerts test, check, mute, unmute or ack, got airank alerts ${other}`,
        ]);
      }
      await list(terminal, flags);
    });
  addAlertsTestCommand(alerts, terminal);
  alerts
    .command('check')
    .description('look for alerts now, and tell what is not told yet')
    .option('--json', 'print what came of it as JSON on stdout')
    .option(...demoFlag)
    .addHelpText(
      'after',
      '\nNobody is told of the demo.\nExit code 1: a channel was not told, or an account not looked at.\n\nExample:\n  $ airank alerts check',
    )
    .action(async (_: unknown, command: Command) => end(await check(terminal, command.optsWithGlobals())));
  addMuteCommands(alerts, terminal);
  alerts
    .command('ack')
    .description('acknowledge an alert: somebody has seen it')
    .argument('<id>', 'its number, as airank alerts shows it')
    .option(...demoFlag)
    .addHelpText('after', '\nExample:\n  $ airank alerts ack 12')
    .action(async (text: string, _: unknown, command: Command) => {
      const faults: string[] = [];
      const id = numberFlag('<id>', text, { min: 1, max: Number.MAX_SAFE_INTEGER }, faults) ?? 0;
      if (faults.length > 0) throw new ConfigError(faults);
      const flags = command.optsWithGlobals<ListFlags>();
      const done = await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }) =>
        acknowledge(db, id),
      );
      const fix = 'airank alerts shows them';
      if (!done) throw new ConfigError([`Expected <id> to be the number of an alert, got "${text}". ${fix}`]);
      terminal.stdout.write(`Alert ${id} is acknowledged\n`);
    });
}

async function list(terminal: Terminal, flags: ListFlags): Promise<void> {
  const faults: string[] = [];
  const limit = numberFlag('--limit', flags.limit, { min: 1, max: 1_000_000 }, faults) ?? 0;
  if (faults.length > 0) throw new ConfigError(faults);
  const open = flags.open === true;
  const { alerts, mutes, beganOn } = await useWarehouse(
    terminal,
    flags,
    { orDemo: true },
    async ({ db }, { config }) => {
      const account =
        flags.account === undefined ? undefined : chooseAccount(flags.account, await readClientNames(db));
      const mutes = await readMutes(db, runDateIn(config.timeZone, new Date()));
      return {
        alerts: await listAlerts(db, { open, account, limit }),
        mutes: mutes.filter((one) => account === undefined || one.account === account),
        beganOn: await readFirstLook(db, account),
      };
    },
  );
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify(alerts, null, 2)}\n`
      : `${alertLines(alerts, mutes, { open, beganOn, width: columnsOf(terminal.stdout) }).join('\n')}\n`,
  );
}

async function check(terminal: Terminal, flags: { json?: true; demo?: true }): Promise<number> {
  const run = await useWarehouse(terminal, flags, { schema: 'migrate', locks: true }, (warehouse, settings) =>
    runAlerts(alertsDeps(settings, warehouse), { check: true }),
  );
  for (const line of runLines(run)) terminal.stderr.write(`${line}\n`);
  const { raised, sent, failed, broken, isBusy } = run;
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify({ raised, messages_sent: sent, not_told: failed, not_looked_at: broken }, null, 2)}\n`
      : `${plural(raised, 'new alert')}, ${plural(sent, 'message')} sent\n`,
  );
  return failed.length + broken.length > 0 || isBusy ? 1 : 0;
}
