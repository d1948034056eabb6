// airank alerts test: what a rule says of the figures of a date, and whether people hear of it.

import { type ExplainedClient, explainRule } from '../../alerts/explain-rule.ts';
import { rules } from '../../alerts/rules/catalog.ts';
import { readDataDates } from '../../alerts/store/facts.ts';
import type { ListedAlert, Mute } from '../../alerts/store/list-alerts.ts';
import { type KnownClient, readClientNames } from '../../alerts/store/notes.ts';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { oneLine, plural } from '../../core/text.ts';
import { dateFlag, defineCommand, ruleArgument } from '../define-command.ts';
import { table } from '../print/table.ts';
import { fold, wrap } from '../print/words.ts';
import { chooseClient } from '../selection.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

/** How alerts look on a terminal. */
export function alertLines(
  alerts: readonly ListedAlert[],
  mutes: readonly Mute[],
  options: {
    readonly open: boolean;
    /** Of the first rule; undefined: none has looked yet. */
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
      ? 'No alerts yet. They are looked for after each sync: airank alerts check looks now.'
      : `No alerts since the rules began, with the data of ${beganOn}. They are looked for after each sync.`;
  const lines =
    alerts.length === 0 ? wrap(none, width) : table([head, ...rows], { width, wraps: ['client', 'what'] });
  return [...lines, ...mutes.flatMap((mute) => fold(muteLine(mute), width))];
}

function muteLine({ account, rule, clientId, until }: Mute): string {
  const whom =
    clientId === undefined ? account : `client ${clientId || 'of the account itself'} of ${account}`;
  return `muted: ${rule} of ${whom}${until === undefined ? '' : ` until ${until}`}`;
}

function explanationLines(
  explained: readonly ExplainedClient[],
  known: readonly KnownClient[],
  options: { readonly rule: string; readonly account: string; readonly date: string; readonly width: number },
): string[] {
  const { rule, account, date, width } = options;
  const names = new Map(
    known.filter((one) => one.account === account).map(({ clientId, name }) => [clientId, name]),
  );
  const holding = explained.filter(({ judgements }) => judgements.some(({ holds }) => holds)).length;
  return [
    `${rule} on ${date}, account ${account}: speaks of ${holding} of ${plural(explained.length, 'client')}`,
    ...explained.flatMap(({ clientId, judgements }) => {
      const name = oneLine(names.get(clientId) ?? clientId);
      if (judgements.length === 0) return [`  ${name}`, '    no figures that it could judge'];
      return [
        `  ${name}`,
        ...judgements.flatMap(({ holds, why, title, telling }) => [
          ...wrap(oneLine(why), width, holds ? '    yes: ' : '    no:  '),
          ...(holds ? wrap(oneLine(title), width, '         ') : []),
          ...(telling === undefined ? [] : wrap(telling, width, '         ')),
        ]),
      ];
    }),
  ];
}

export const testCommand = defineCommand({
  about: 'explain what a rule says of the figures of a date; stores nothing, tells nobody',
  args: [['<rule>', 'such as rank_fell']],
  flags: {
    '--date <date>': 'YYYY-MM-DD (default: the newest of the data that the rule reads)',
    '--client <id>': 'only this client, by identifier or name',
    '--account <name>': 'account, where there are several',
    '--json': 'print the explanation as JSON on stdout',
    ...demoFlag,
  },
  help: `
Says of each "yes" whether it was told or would be, and why not.
Claims and results of actions are judged as they are now: of a past date, those
that are dated until then.

Examples:
  $ airank alerts test rank_fell
  $ airank alerts test page_lost --date 2026-04-03 --client 7 --json`,
  async run({ terminal, flags, print, width }, name) {
    const faults: string[] = [];
    const rule = ruleArgument(name, faults);
    dateFlag('--date', flags.date, faults);
    if (faults.length > 0 || rule === undefined) throw new ConfigError(faults);
    await useWarehouse(terminal, flags, { orDemo: true }, async ({ db, pool }, { config }) => {
      const known = await readClientNames(db);
      const chosen = chooseClient(flags, known);
      const { account } = chosen;
      const { alerts: configured, language, timeZone } = config;
      const today = runDateIn(timeZone, new Date());
      const streams = rules.find((one) => one.name === rule)?.streams ?? [];
      const datesOf = await readDataDates(db, account, { [rule]: streams });
      const newest = [...datesOf(rule).values()].sort().at(-1);
      const date = chosenDate(flags.date, newest, today);
      const clients =
        flags.client === undefined
          ? known.filter((one) => one.account === account && !one.hasLeft).map(({ clientId }) => clientId)
          : [chosen.clientId];
      const asked = { name: rule, alerts: configured, language, account, clients, date, today, timeZone };
      const explained = await explainRule({ db, pool }, asked);
      print(explained.map(explainedJson), explanationLines(explained, known, { rule, account, date, width }));
    });
  },
});

/** @throws ConfigError for a date that is still to come */
function chosenDate(given: string | undefined, newest: string | undefined, today: string): string {
  const last = newest !== undefined && newest > today ? newest : today;
  if (given === undefined) return newest ?? today;
  if (given <= last) return given;
  const until = newest === undefined ? '' : `: the data go until ${newest}`;
  throw new ConfigError([`Expected --date to be no later than ${last}, got "${given}"${until}`]);
}

function explainedJson({ clientId, judgements }: ExplainedClient) {
  return {
    client_id: clientId,
    judgements: judgements.map((one) => ({
      speaks: one.holds,
      subject: one.subject,
      date: one.date,
      before_value: one.before ?? null,
      after_value: one.after ?? null,
      why: one.why,
      telling: one.telling ?? null,
    })),
  };
}
