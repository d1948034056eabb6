// How alerts look on a terminal.
import type { ExplainedClient } from '../../alerts/explain-rule.ts';
import type { ListedAlert } from '../../alerts/store/list-alerts.ts';
import type { Mute } from '../../alerts/store/mutes.ts';
import type { KnownClient } from '../../alerts/store/read-client-names.ts';
import { oneLine } from '../../core/one-line.ts';
import { plural } from '../../core/plural.ts';
import { table } from './table.ts';
import { fold, wrap } from './wrap.ts';

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

export function explanationLines(
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
