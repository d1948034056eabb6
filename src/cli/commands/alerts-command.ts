// airank alerts: what happened in the figures of clients, and who is told.

import { runAlerts } from '../../alerts/run-alerts.ts';
import { readWatchedSince } from '../../alerts/store/alert-store.ts';
import {
  acknowledge,
  type ListedAlert,
  listAlerts,
  type Mute,
  mute,
  readMutes,
  unmute,
} from '../../alerts/store/list-alerts.ts';
import { readClientNames } from '../../alerts/store/notes.ts';
import { type AlertRuleName, alertRuleNames } from '../../config/alert-rules.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { oneLine, plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { type Call, defineCommand, type FlagsOf } from '../define-command.ts';
import { dateFlag, idOf, numberFlag } from '../flags.ts';
import { table } from '../print/table.ts';
import { type ClientFlags, chooseAccount, chooseClient } from '../selection.ts';
import { say, show, type Terminal } from '../terminal.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';
import { alertsDeps, runLines } from './sync-command.ts';

/** airank alerts mute, airank alerts unmute: stop or resume messages by a rule. */
interface MuteFlags extends ClientFlags {
  readonly until?: string;
  readonly demo?: true;
}

const muteCommand = defineCommand({
  about: 'stop the messages of a rule, for a client or a whole account; alerts are still listed',
  args: [['<rule>', 'such as page_lost']],
  flags: {
    '--client <id>': 'only of this client',
    '--account <name>': 'account, where there are several',
    ...demoFlag,
    '--until <date>': 'the date from which messages are sent again (default: until unmuted)',
  },
  help: '\nExamples:\n  $ airank alerts mute page_lost --client 7 --until 2026-05-01\n  $ airank alerts unmute page_lost --client 7',
  async run({ terminal, flags }, name) {
    await withRule(terminal, name, flags, async (db, rule, today) => {
      if (flags.until !== undefined && flags.until <= today) {
        throw new ConfigError([`Expected --until to be after today (${today}), got "${flags.until}"`]);
      }
      const whose = await mutedClient(db, flags);
      await mute(db, { ...whose, rule, until: flags.until });
      const until = flags.until === undefined ? '' : ` until ${flags.until}`;
      show(terminal, `${rule} is muted for ${textOf(whose)}${until}`);
    });
  },
});

const unmuteCommand = defineCommand({
  about: 'send the messages of a rule again',
  args: [['<rule>', 'such as page_lost']],
  flags: {
    '--client <id>': 'the client that it was muted for',
    '--account <name>': 'account, where there are several',
    ...demoFlag,
  },
  help: '\nExample:\n  $ airank alerts unmute page_lost --client 7',
  async run({ terminal, flags }, name) {
    await withRule(terminal, name, flags, async (db, rule) => {
      const whose = await mutedClient(db, flags);
      if (!(await unmute(db, { ...whose, rule }))) {
        throw new ConfigError([
          `${rule} is not muted for ${textOf(whose)}. airank alerts shows what is muted`,
        ]);
      }
      show(terminal, `${rule} is no longer muted for ${textOf(whose)}`);
    });
  },
});

async function withRule(
  terminal: Terminal,
  name: string,
  flags: MuteFlags,
  work: (db: Executor, rule: AlertRuleName, today: string) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const rule = alertRuleNames.find((one) => one === name);
  if (rule === undefined) {
    const hint = didYouMean(name, alertRuleNames) ?? `Rules: ${alertRuleNames.join(', ')}.`;
    faults.push(`Expected <rule> to be a rule of alerts, got "${name}". ${hint}`);
  }
  dateFlag('--until', flags.until, faults);
  if (faults.length > 0 || rule === undefined) throw new ConfigError(faults);
  await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }, { config }) =>
    work(db, rule, runDateIn(config.timeZone, new Date())),
  );
}

interface MutedClient {
  readonly account: string;
  /** Undefined: every client of the account. */
  readonly clientId: string | undefined;
}

async function mutedClient(db: Executor, flags: MuteFlags): Promise<MutedClient> {
  const { account, clientId } = chooseClient(flags, await readClientNames(db));
  return { account, clientId: flags.client === undefined ? undefined : clientId };
}

const textOf = ({ account, clientId }: MutedClient) =>
  clientId === undefined ? `account ${account}` : `client ${clientId} of ${account}`;

const listFlags = {
  '--open': 'only those that last and are not acknowledged',
  '--account <name>': 'only of this account',
  '--limit <number>': { about: 'at most this many', default: '50' },
  '--json': 'print the list as JSON on stdout',
  ...demoFlag,
} as const;

type ListFlags = FlagsOf<typeof listFlags>;

const checkCommand = defineCommand({
  about: 'check for alerts now, and send what was not sent yet',
  flags: {
    '--json': 'print the result as JSON on stdout',
    ...demoFlag,
  },
  help: `
No messages are sent for the demo, nor for what a rule finds when it starts;
without alerts.to in the configuration alerts are only listed.
Exit code 1: a message could not be sent, or an account not checked.

Examples:
  $ airank alerts check`,
  run: check,
});

const ackCommand = defineCommand({
  about: 'acknowledge an alert: somebody has seen it',
  args: [['<id>', 'its number, as airank alerts shows it']],
  flags: { ...demoFlag },
  help: '\nExample:\n  $ airank alerts ack 12',
  async run({ terminal, flags }, text) {
    const id = idOf('<id>', text);
    const done = await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }) => acknowledge(db, id));
    const fix = 'airank alerts shows them';
    if (!done) throw new ConfigError([`Expected <id> to be the number of an alert, got "${text}". ${fix}`]);
    show(terminal, `Alert ${id} is acknowledged`);
  },
});

export const command = defineCommand({
  about: 'what happened to clients: list, check, mute, acknowledge',
  flags: listFlags,
  expected: 'airank alerts, or airank alerts check, mute, unmute or ack',
  help: `
Alerts are checked after each sync, and sent to alerts.to of the configuration.

Examples:
  $ airank alerts --open
  $ airank alerts mute page_lost --client 7 --until 2026-05-01
  $ airank alerts ack 12`,
  run: list,
  commands: {
    check: checkCommand,
    mute: muteCommand,
    unmute: unmuteCommand,
    ack: ackCommand,
  },
});

async function list({ terminal, flags, print, width }: Call<ListFlags>): Promise<void> {
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
        beganOn: await readWatchedSince(db, account),
      };
    },
  );
  print(alerts, alertLines(alerts, mutes, { open, beganOn, width }));
}

function alertLines(
  alerts: readonly ListedAlert[],
  mutes: readonly Mute[],
  options: {
    readonly open: boolean;
    /** The date on which the first rule began to watch; undefined if none has yet. */
    readonly beganOn: string | undefined;
    readonly width: number;
  },
): string[] {
  const { open, beganOn, width } = options;
  const several = new Set(alerts.map(({ account }) => account)).size > 1;
  const rows = alerts.map((alert) => [
    String(alert.alert_id),
    alert.alert_date,
    ...(several ? [alert.account] : []),
    oneLine(alert.client_name ?? alert.client_id),
    alert.state,
    oneLine(alert.title),
  ]);
  const head = ['alert', 'date', ...(several ? ['account'] : []), 'client', 'state', 'what'];
  const none = open
    ? 'No alert is open.'
    : beganOn === undefined
      ? 'No alerts yet. They are checked after each sync; to check now: airank alerts check'
      : `No alerts since the rules started, with the data of ${beganOn}. They are checked after each sync.`;
  const lines = alerts.length === 0 ? [none] : table([head, ...rows], { width, wraps: ['client', 'what'] });
  return [...lines, ...mutes.map(muteLine)];
}

function muteLine({ account, rule, clientId, until }: Mute): string {
  const whom = clientId === '' ? `account ${account} itself` : textOf({ account, clientId });
  return `muted: ${rule} of ${whom}${until === undefined ? '' : ` until ${until}`}`;
}

async function check({ terminal, flags, print }: Call<Which>): Promise<number> {
  const run = await useWarehouse(terminal, flags, { schema: 'migrate' }, (warehouse, settings) =>
    runAlerts(alertsDeps(settings, warehouse), { check: true }),
  );
  for (const line of runLines(run)) say(terminal, line);
  const { raised, sent, failed, broken, isBusy } = run;
  print(
    { raised: raised.length, messages_sent: sent, not_told: failed, not_checked: broken },
    `${plural(raised.length, 'new alert')}, ${plural(sent, 'message')} sent`,
  );
  return failed.length + broken.length > 0 || isBusy ? 1 : 0;
}
