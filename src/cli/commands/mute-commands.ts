// airank alerts mute, airank alerts unmute: of which rules nobody is told for a while.
import type { Command } from 'commander';
import { mute, unmute } from '../../alerts/store/mutes.ts';
import { readClientNames } from '../../alerts/store/read-client-names.ts';
import type { AlertRuleName } from '../../config/alert-rules.ts';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { dateFlag, ruleArgument } from '../setup/alert-flags.ts';
import { type ClientFlags, chooseClient } from '../setup/choose-client.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag, useWarehouse } from '../setup/use-warehouse.ts';

interface MuteFlags extends ClientFlags {
  readonly until?: string;
  readonly demo?: true;
}

export function addMuteCommands(alerts: Command, terminal: Terminal): void {
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
